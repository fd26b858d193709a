# What the shell scripts of this folder share; they source it, nobody runs it.
# Works with the bash 3.2 that macOS ships.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Options every `swift build` and `swift test` takes, one word a line in `swift_options`: on macOS
# openssl@3 is keg-only, so pkg-config does not find it by itself.
swift_options=(--package-path "$root")
if [ "$(uname -s)" = Darwin ] && command -v brew >/dev/null; then
  swift_options+=(--pkg-config-path "$(brew --prefix openssl@3)/lib/pkgconfig")
fi

# Options of a release build. The static standard library makes the binary run where no Swift is
# installed; Apple's platforms ship the library and refuse the option.
release_options=(--configuration release --product pushpit)
if [ "$(uname -s)" != Darwin ]; then
  release_options+=(--static-swift-stdlib)
fi

# Prints its arguments as an error and ends the script with exit 1.
fail() {
  printf 'Error: %s\n' "$*" >&2
  exit 1
}
