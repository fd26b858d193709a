internal import PushpitGateway

/// Files that are named on the command line.
enum FileText {
  /// All bytes of a file; `-` is standard input.
  /// - Throws: `CommandFailure` when it cannot be read.
  static func bytes(of name: String) throws(CommandFailure) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.contents(of: name == "-" ? "/dev/stdin" : name)
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}
