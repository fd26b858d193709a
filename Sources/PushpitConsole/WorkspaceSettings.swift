package import PushpitJSON
package import PushpitModel

/// Reads and changes the settings of workspaces by the one table.
package enum WorkspaceSettings {
  /// What is wrong with one setting of a change.
  package struct Problem: Error, Sendable, Equatable {
    /// JSON Pointer to the setting, from the object of settings.
    package let pointer: String
    /// What it takes, or which name is near.
    package let detail: String
  }

  /// Changes settings by an object of names and values, all of them or none.
  /// - Returns: what is wrong with it; empty when it was done.
  package static func change(_ settings: JSONValue, of workspace: Workspace) -> [Problem] {
    guard let object = settings.objectValue else {
      return [Problem(pointer: "", detail: "Expected an object of settings.")]
    }
    var values = SettingValues(of: workspace)
    var problems: [Problem] = []
    for (name, value) in object.members {
      // Finding the nearest name costs, and no answer names more.
      guard problems.count < ConsoleProblem.namedFaultLimit else { break }
      guard let setting = WorkspaceSetting.all.first(where: { $0.name == name }) else {
        problems.append(
          Problem(
            pointer: JSONValue.pointer("", to: name),
            detail: "Unknown setting; the nearest is \(nearest(name))."))
        continue
      }
      if !setting.set(value, &values) {
        problems.append(
          Problem(
            pointer: JSONValue.pointer("", to: name), detail: "Expected \(setting.form)."))
      }
    }
    if problems.isEmpty { values.apply(to: workspace) }
    return problems
  }

  /// The values of all settings by name.
  package static func values(of workspace: Workspace) -> JSONValue {
    let values = SettingValues(of: workspace)
    var object = JSONObject()
    for setting in WorkspaceSetting.all { object[setting.name] = setting.value(values) }
    return .object(object)
  }

  /// All settings with value, default, reason and form.
  static func description(of workspace: Workspace) -> JSONValue {
    let (values, defaults) = (SettingValues(of: workspace), SettingValues())
    var object = JSONObject()
    for setting in WorkspaceSetting.all {
      object[setting.name] = [
        "value": setting.value(values), "default": setting.value(defaults),
        "takes": .string(setting.form), "reason": .string(setting.reason),
      ]
    }
    return .object(object)
  }

  private static func nearest(_ name: String) -> String {
    let names = WorkspaceSetting.all.map(\.name)
    let wanted = name.lowercased().utf8.prefix(100)
    let best = names.min {
      editDistance($0.lowercased().utf8, wanted) < editDistance($1.lowercased().utf8, wanted)
    }
    return best ?? ""
  }
}
