/// Registration tokens that are sent to together, by a notification key.
package final class DeviceGroup {
  /// What messages are sent to in place of a token.
  package let key: [UInt8]
  /// `notification_key_name`, unique in its project.
  package let name: String
  package let project: String
  /// In the order they were added.
  package fileprivate(set) var members: [[UInt8]]

  init(key: [UInt8], name: String, project: String, members: [[UInt8]]) {
    self.key = key
    self.name = name
    self.project = project
    self.members = members
  }
}

/// The device groups of one workspace.
package struct DeviceGroupDirectory {
  /// The most members of a group (Google: Send messages to device groups).
  package static let memberLimit = 20
  /// The most groups of a workspace, so that a sender with many users cannot fill the memory.
  package static let groupLimit = 100_000

  /// Why a group was not made or changed.
  package enum Problem: Error, Equatable {
    case nameTaken
    case tooManyMembers(limit: Int)
    case tooManyGroups(limit: Int)
  }

  private struct NameKey: Hashable {
    let project: String
    let name: String
  }

  private let groupLimit: Int
  private var groups: [[UInt8]: DeviceGroup] = [:]
  private var names: [NameKey: DeviceGroup] = [:]
  /// The groups of each member, to find them when it dies.
  private var memberships: [[UInt8]: [ObjectIdentifier: DeviceGroup]] = [:]

  package init(groupLimit: Int = Self.groupLimit) {
    self.groupLimit = groupLimit
  }

  /// How many groups there are.
  package var count: Int { groups.count }

  /// The group of a notification key.
  package subscript(key: [UInt8]) -> DeviceGroup? { groups[key] }

  /// The group of this name in a project.
  package func group(named name: String, in project: String) -> DeviceGroup? {
    names[NameKey(project: project, name: name)]
  }

  /// Makes a group of these members, each once; the key is new.
  /// - Throws: that there is one of this name, or that there are too many.
  package mutating func create(
    key: [UInt8], name: String, project: String, members: [[UInt8]]
  ) throws(Problem) -> DeviceGroup {
    guard group(named: name, in: project) == nil else { throw .nameTaken }
    guard groups.count < groupLimit else { throw .tooManyGroups(limit: groupLimit) }
    let group = DeviceGroup(key: key, name: name, project: project, members: [])
    try add(members, to: group)
    groups[key] = group
    names[NameKey(project: project, name: name)] = group
    return group
  }

  /// Adds members, all or none; those that it has already stay as they are.
  /// - Throws: that it would have too many.
  package mutating func add(_ tokens: [[UInt8]], to group: DeviceGroup) throws(Problem) {
    var members = group.members
    for token in tokens where !members.contains(token) {
      guard members.count < Self.memberLimit else {
        throw .tooManyMembers(limit: Self.memberLimit)
      }
      members.append(token)
    }
    group.members = members
    for token in members { memberships[token, default: [:]][ObjectIdentifier(group)] = group }
  }

  /// Removes members; a group without any is deleted (Google: Send messages to device groups).
  package mutating func remove(_ tokens: [[UInt8]], from group: DeviceGroup) {
    for token in tokens {
      memberships[token]?[ObjectIdentifier(group)] = nil
      if memberships[token]?.isEmpty == true { memberships[token] = nil }
    }
    group.members.removeAll(where: tokens.contains)
    guard group.members.isEmpty else { return }
    groups[group.key] = nil
    names[NameKey(project: group.project, name: group.name)] = nil
  }

  /// Removes a token from all groups, or from those whose project it is not to be in.
  package mutating func removeAll(
    _ token: [UInt8], unlessIn isKept: (_ project: String) -> Bool = { _ in false }
  ) {
    for group in memberships[token, default: [:]].values where !isKept(group.project) {
      remove([token], from: group)
    }
  }
}
