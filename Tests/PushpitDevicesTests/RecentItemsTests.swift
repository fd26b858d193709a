import PushpitDevices
import Testing

@Suite struct RecentItemsTests {
  @Test(arguments: [0, 1, 2, 3, 4, 7, 100])
  func `the newest items are kept in order`(_ count: Int) {
    var items = RecentItems<Int>(limit: 3)
    for item in 0..<count { items.append(item) }
    #expect(Array(items) == Array((0..<count).suffix(3)))
    #expect(items.evictedCount == max(0, count - 3))
  }

  @Test func `a limit of nothing is our mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = RecentItems<Int>(limit: 0)
    }
  }
}
