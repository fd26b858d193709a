import PushpitHTTPTypes
import Testing

@Suite struct FieldListTests {
  @Test func `names compare without case and values keep their bytes`() {
    let fields = FieldList(["Apns-Topic": "com.Example", "x": ""])
    #expect(fields.text("apns-topic") == "com.Example")
    #expect(fields.text("x") == "")
    #expect(fields.text("y") == nil)
  }

  @Test func `the first of several fields is found and all keep their order`() {
    var fields = FieldList(["a": "1", "b": "2"])
    fields.append("a", "3")
    #expect(fields.text("a") == "1")
    #expect(fields.pairs.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2", "a=3"])
  }

  @Test func `a literal name takes any bytes as its value`() {
    var fields = FieldList()
    fields.append("apns-id", [0x41, 0xFF][...])
    #expect(fields.value("apns-id").map(Array.init) == [0x41, 0xFF])
  }

  @Test func `an emptied list starts again and keeps its memory`() {
    var fields = FieldList(["name": "value"])
    fields.removeAll()
    #expect(fields.entries.isEmpty)
    #expect(fields.bytes.isEmpty)
    #expect(fields.bytes.capacity >= 9)
    fields.append("n", "v")
    #expect(fields.text("n") == "v")
  }

  @Test func `a name that only begins like a known one is another name`() {
    let fields = FieldList(["apns-topics": "x"])
    #expect(fields.first("apns-topic") == nil)
  }

  @Test func `another list's fields follow those that are there`() {
    var fields = FieldList(["a": "1"])
    fields.append(FieldList(["bc": "23", "d": ""]))
    fields.append(FieldList())
    #expect(fields.pairs.map { "\($0.name)=\($0.value)" } == ["a=1", "bc=23", "d="])
  }
}
