/** An editor's mark of the encoding in front of a `.env` file becomes part of the name that comes first: it is taken off. */
export function dropEncodingMark(environment: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith("\ufeff")) continue;
    environment[name.slice(1)] ??= value;
    delete environment[name];
  }
}
