// Parses the parts of a Dockerfile and a .dockerignore that this project uses.

/**
 * Returns the instructions in order: name, value without flags, flags such as `from`, and the list of an exec form.
 * @param {string} text
 * @returns {{ name: string, value: string, flags: Record<string, string>, json: string[] | null }[]}
 */
export function instructionsOf(text) {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n");
  return lines.map((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not an instruction: ${line}`);
    const flags = Object.fromEntries(
      [...rest.matchAll(/(?:^|\s)--([a-z-]+)=(\S+)/g)].map(([, flag, value]) => [flag, value]),
    );
    const value = ["COPY", "HEALTHCHECK"].includes(name) ? rest.replace(/(^|\s)--[a-z-]+=\S+/g, "").trim() : rest;
    return { name, value, flags, json: value.startsWith("[") ? JSON.parse(value) : null };
  });
}

/**
 * Whether .dockerignore excludes a path. The last matching rule decides.
 * @param {string} path
 * @param {string} rules
 */
export function isIgnored(path, rules) {
  let ignored = false;
  for (const line of rules.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const lets = line.startsWith("!");
    if (fits(path, lets ? line.slice(1) : line)) ignored = !lets;
  }
  return ignored;
}

/** A rule matches a path and everything beneath it. */
function fits(path, rule) {
  const pattern = rule
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?"));
  return new RegExp(`^${pattern}(?:/.*)?$`).test(path);
}
