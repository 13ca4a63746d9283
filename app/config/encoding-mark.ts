/** Removes the byte order mark that an editor wrote at the start of a `.env` file from the first variable's name. */
export function dropEncodingMark(environment: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith("\ufeff")) continue;
    environment[name.slice(1)] ??= value;
    delete environment[name];
  }
}
