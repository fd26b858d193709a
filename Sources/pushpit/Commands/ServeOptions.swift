/// The flags of `pushpit serve`, each with its environment twin and its name in a configuration file.
let serveOptions: [OptionSpecification] = [
  OptionSpecification("--port", "N", "gateway port (default 2197; 0: a free one)"),
  OptionSpecification(
    "--listen", "[ENV=]HOST:PORT", repeatable: true,
    "one more gateway port, e.g. production=127.0.0.1:443"),
  OptionSpecification("--console-port", "N", "console port (default 8197; 0: a free one)"),
  OptionSpecification(
    "--mtalk-port", "N", "FCM device port (default 5228; not built yet: stays closed)"),
  OptionSpecification(
    "--bind", "ADDRESS", repeatable: true,
    "address of all ports (default 127.0.0.1 and, where there is IPv6, ::1)"),
  OptionSpecification(
    "--console-bind", "ADDRESS", "address of the console, when it is another one"),
  OptionSpecification(
    "--host", "NAME", repeatable: true, "name that others reach the gateway by (container, IP)"),
  OptionSpecification("--state", "DIR", "state folder (default $XDG_STATE_HOME/pushpit)"),
  OptionSpecification(
    "--data", "FILE", "keep envelopes, devices and workspaces in a file over restarts"),
  OptionSpecification("--config", "FILE", "JSON: these names in camelCase, and devices to declare"),
  OptionSpecification(
    "--import", "FILE", repeatable: true,
    "credential to import at the start (service account, certificate)"),
  OptionSpecification(
    "--tokens", choices: ["open", "strict"],
    "what becomes of tokens nobody registered (default open)"),
  OptionSpecification(
    "--auth", choices: ["verify", "shape"], "whether signatures are checked (default verify)"),
  OptionSpecification(
    "--wire", choices: ["observed", "documented"],
    "what is answered where captures and documents differ (default observed)"),
  OptionSpecification(
    "--streams", "apple|throttle|fixed:N", "HTTP/2 streams at once (default apple: 1, then 1000)"),
  OptionSpecification(
    "--environment", choices: ["sandbox", "production"],
    "APNs environment where host and port name none (default sandbox)"),
  OptionSpecification(
    "--console-token", "TOKEN", "bearer the console wants; needed beyond loopback"),
  OptionSpecification("--record-credentials", nil, "keep credentials whole in records"),
  OptionSpecification(
    "--callback-host", "NAME", repeatable: true,
    "host beyond this machine and private networks that device callbacks may be sent to"),
  OptionSpecification("--seed", "N", "makes identifiers repeatable; never feeds keys"),
  OptionSpecification("--ready-file", "FILE", "written when every listener accepts"),
  OptionSpecification(
    "--log-level", choices: ["error", "warning", "info", "debug"],
    "detail of the log (default info)"),
  OptionSpecification(
    "--log-format", choices: ["text", "json"], "form of a log line (default text)"),
]
