extension StateFolder {
  /// Everything that one of the folder's files holds.
  package func contents(of path: String) throws(StateError) -> [UInt8] {
    try StateError.filing { () throws(FileError) in try storage.contents(of: path) }
  }

  /// Writes what is kept in memory into a folder on the disk, for senders that read files.
  /// - Parameters:
  ///   - folder: Made when it is not there.
  ///   - port: The gateway's, which files of made credentials name.
  /// - Returns: The paths of the files; those of the folder itself when it is on the disk already.
  /// - Throws: When a file cannot be written.
  package func copy(to folder: String, port: Int) throws(StateError) -> StatePaths {
    let copies = StatePaths(folder: Self.normalized(folder))
    guard case .memory(let files) = storage else { return paths }
    try StateError.filing { () throws(FileError) in
      try FileSystem.makeFolder(copies.folder)
      try FileSystem.makeFolder(copies.made)
      try FileSystem.makeFolder(copies.imported)
      for (path, file) in files.all {
        try FileSystem.writeAtomically(
          file.bytes, to: copies.folder + path.dropFirst(paths.folder.count), for: file.access)
      }
    }
    // These name files of their own folder.
    let writer = StateFiles(paths: copies, mode: .writing)
    for credential in made {
      try credential.write(
        with: writer, gateway: Self.gatewayURL(host: gatewayHost, port: port), folder: copies.made)
    }
    return copies
  }
}
