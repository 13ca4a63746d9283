/** Something the operator has to change before the server can start. `message` is one clear line, without secrets. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
