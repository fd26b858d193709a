/// Stands in until the connections are written.
package final class ServerConnection {
  package init() {}
}
