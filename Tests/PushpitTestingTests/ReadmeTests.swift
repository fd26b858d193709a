import PushpitTestSupport
import Testing

/// What the README says of Swift tests.
@Suite struct ReadmeTests {
  @Test func `the README's example is the test of the outside package`() throws {
    let example = try RepositoryFile.text("Tests/Outside/Tests/OutsideTests/MessageTests.swift")
    let readme = try RepositoryFile.text("README.md")
    #expect(readme.contains("```swift\n\(example)```\n"))
  }
}
