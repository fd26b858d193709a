/// The first 8 characters of a token: enough to recognise it, too little to use it.
package func shortToken(_ token: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  token.prefix(8)
}
