import PushpitModel
import Testing

@Suite struct EditDistanceTests {
  @Test(arguments: [("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("port", "prot", 2)])
  func `insertions, deletions and substitutions count`(left: String, right: String, edits: Int) {
    #expect(editDistance(left.utf8, right.utf8) == edits)
  }
}
