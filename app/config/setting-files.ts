import { readFileSync } from "node:fs";
import { ConfigError } from "./error";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Adds the variables whose values are in files: `GW_SECRET_FILE` names the file of `GW_SECRET`, as Docker and
 * Kubernetes mount secrets. Removes the variable that names the file.
 * @throws ConfigError for an empty or unreadable file, and for a setting that is configured in both ways.
 */
export function withSettingFiles(variables: Variables, names: readonly string[]): Variables {
  const files = names.flatMap((name) => {
    const path = variables[`${name}_FILE`]?.trim();
    return path ? [{ name, path }] : [];
  });
  if (files.length === 0) return variables;
  const read = { ...variables };
  for (const { name, path } of files) {
    if (variables[name]?.trim()) throw new ConfigError(`${name} and ${name}_FILE are both set: one of them is enough`);
    read[name] = contentOf(path, name);
    delete read[`${name}_FILE`];
  }
  return read;
}

// An empty value counts as unset elsewhere; here it is an error, because it would silently omit a database or a secret.
function contentOf(path: string, name: string): string {
  try {
    const content = readFileSync(path, "utf8").trim();
    if (content !== "") return content;
  } catch (error) {
    throw new ConfigError(
      `the file of ${name}_FILE, ${path}, cannot be read: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
  throw new ConfigError(`the file of ${name}_FILE, ${path}, is empty`);
}
