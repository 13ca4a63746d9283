// npm run import -- <litellm | bifrost | new-api> <file> [<catalogue file>]
// Writes the suppliers, models, aliases and prices of another gateway's configuration to a catalogue file, and prints
// omitted parts.
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { withModules } from "./load-module.mjs";

const [kind, from, to] = process.argv.slice(2);

try {
  await withModules(async (load) => {
    const { IMPORTS } = await load("scripts/import/index.ts");
    if (from === undefined || !Object.hasOwn(IMPORTS, kind)) {
      throw new Error(`Usage: npm run import -- <${Object.keys(IMPORTS).join(" | ")}> <file> [<catalogue file>]`);
    }
    const { yaml, suppliers, models, remarks, notTaken } = IMPORTS[kind](await readFile(from, "utf8")).result();
    // Never overwrite an existing file.
    if (to === undefined) process.stdout.write(yaml);
    else await writeFile(to, yaml, { flag: "wx", mode: 0o600 });
    const lines = [
      `${suppliers} suppliers, ${models} models${to === undefined ? "" : ` in ${to}`}.`,
      ...remarks.map((text) => `note: ${text}`),
      ...notTaken.map((text) => `not taken: ${text}`),
    ];
    process.stderr.write(`${lines.join("\n")}\n`);
  });
} catch (error) {
  process.stderr.write(`${error.code === "EEXIST" ? `${to} is there already.` : error.message}\n`);
  process.exitCode = 1;
}
