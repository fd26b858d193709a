package import PushpitJSON
package import PushpitModel

extension JSONWriter {
  /// A member with the code of a diagnosis, what is wrong and what to do.
  package mutating func memberOrNull(_ key: String, _ diagnosis: Diagnosis?) {
    self.key(key)
    guard let diagnosis else { return null() }
    beginObject()
    member("code", diagnosis.code.rawValue)
    member("what", diagnosis.what)
    member("fix", diagnosis.fix)
    endObject()
  }
}
