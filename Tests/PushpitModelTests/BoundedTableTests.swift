import Testing

@testable import PushpitModel

@Suite struct BoundedTableTests {
  @Test func `a full table forgets what was added first`() {
    var table = BoundedTable<Int, String>(limit: 3)
    for key in 0..<8 { table.insert("\(key)", for: key) }
    #expect((0..<8).filter { table[$0] != nil } == [5, 6, 7] && table.forgottenCount == 5)
    #expect(table.count == 3)
  }

  @Test func `replacing a value forgets nothing`() {
    var table = BoundedTable<Int, String>(limit: 2)
    table.insert("a", for: 1)
    table.insert("b", for: 2)
    table.insert("c", for: 1)
    #expect(table[1] == "c")
    #expect(table[2] == "b")
  }

  @Test func `what is removed makes room, and the rest keeps its order`() {
    var table = BoundedTable<Int, Int>(limit: 4)
    for key in 0..<6 { table.insert(key, for: key) }
    table.removeAll { $0 == 3 || $0 == 4 }
    #expect(!table.isFull && table.count == 2)
    for key in 6..<9 { table.insert(key, for: key) }
    #expect((0..<9).filter { table[$0] != nil } == [5, 6, 7, 8])
  }
}
