/**
 * A configuration error that the operator must correct before the server can start. `message` is one line, without
 * secrets.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
