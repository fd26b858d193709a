/// How many bytes must be added, removed or replaced to make one name of the other (Levenshtein).
package func editDistance(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Int {
  let right = Array(right)
  var row = Array(0...right.count)
  for (index, byte) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let substituted = diagonal + (byte == right[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
    }
  }
  return row[right.count]
}
