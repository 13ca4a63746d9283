import { type Alias, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import { ConfigError } from "~/config/error";
import { expandPresets } from "../presets/expand";
import { type CatalogueFile, WrittenCatalogue } from "./file-schema";

type Source = {
  /** Name of the file for error messages. */
  name: string;
  text: string;
  /** Reads an environment variable for `${NAME}`. */
  variable: (name: string) => string | undefined;
  /** Time whose list prices apply; default: now. */
  at?: Date;
};

/**
 * Reads a catalogue file in YAML or JSON. Replaces `${NAME}` in texts by environment variables. Reads decimals from
 * their source text.
 * @throws ConfigError, one line, with file and line of the first mistake
 */
export function readCatalogueFile(source: Source): CatalogueFile {
  const lines = new LineCounter();
  const at = (offset: number) => `${source.name} line ${lines.linePos(offset).line}`;
  const document = parseDocument(source.text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) throw new ConfigError(`${at(broken.pos[0])}: ${broken.message.split("\n")[0]}`);
  // A truncated file must not deactivate every supplier of the last start.
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null))
    throw new ConfigError(`${source.name} is empty; for no suppliers at all, it has to say so: suppliers: []`);

  // An alias inside the node that it refers to would recurse forever.
  const open = new Set<unknown>();
  const offsetOf = (node: Node | null | undefined) => node?.range?.[0] ?? 0;
  const plain = (node: unknown): unknown => {
    if (isAlias(node)) return plainOnce(node);
    if (isSeq(node)) return node.items.map(plain);
    if (isMap(node)) return Object.fromEntries(node.items.map((pair) => [String(plain(pair.key)), plain(pair.value)]));
    if (!isScalar(node) || node.value === null) return undefined;
    if (typeof node.value === "string") return withVariables(node.value, source.variable, at(offsetOf(node)));
    return typeof node.value === "number" || typeof node.value === "bigint"
      ? (node.source ?? String(node.value))
      : node.value;
  };

  const plainOnce = (alias: Alias): unknown => {
    if (open.has(alias)) throw new ConfigError(`${at(offsetOf(alias))}: the alias ${alias.source} contains itself`);
    open.add(alias);
    const value = plain(alias.resolve(document));
    open.delete(alias);
    return value;
  };

  const read = WrittenCatalogue.safeParse(plain(document.contents));
  if (read.success)
    return expandPresets(read.data, source.at ?? new Date(), (path, message) => {
      throw new ConfigError(
        `${at(offsetOf(nodeOf(document.contents, { code: "custom", path })))}: ${whereOf(path)} ${message}`,
      );
    });
  const mistakes = read.error.issues.map((issue) => ({
    offset: offsetOf(nodeOf(document.contents, issue)),
    text: wordsOf(issue),
  }));
  const [first, ...others] = mistakes.toSorted((one, other) => one.offset - other.offset);
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  throw new ConfigError(`${at(first!.offset)}: ${first!.text}${more}`);
}

function withVariables(text: string, variable: Source["variable"], where: string): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_match, name: string) => {
    const value = variable(name);
    if (value === undefined) throw new ConfigError(`${where}: the environment variable ${name} is not set`);
    return value;
  });
}

type Mistake = { code: string; path: PropertyKey[]; keys?: string[] };

/** Returns the node closest to an issue: the field itself, else the node that should contain it. */
function nodeOf(root: Node | null, issue: Mistake): Node | null {
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys![0]!] : issue.path;
  let node: Node | null = root;
  for (const step of path) {
    let next: unknown = null;
    if (isSeq(node)) next = node.items[Number(step)];
    else if (isMap(node))
      next = node.items.find((pair) => isScalar(pair.key) && String(pair.key.source ?? pair.key.value) === step);
    if (isPair(next)) {
      // Report the line of the field's name, even if its value starts on the next line.
      const isLast = step === path.at(-1);
      next = isLast || next.value === null ? next.key : next.value;
    }
    if (next === null || next === undefined) break;
    node = next as Node;
  }
  return node;
}

function wordsOf(issue: z.core.$ZodIssue): string {
  const where = whereOf(issue.path);
  if (issue.code === "unrecognized_keys") return `unknown field ${issue.keys.join(", ")}${where ? ` in ${where}` : ""}`;
  if (/received undefined$/.test(issue.message)) return `${where} is required`;
  const what =
    issue.code === "invalid_type" && /^Invalid/.test(issue.message)
      ? `must be ${typeNames[issue.expected] ?? issue.expected}`
      : issue.message;
  return `${where || "the file"} ${what}`;
}

const whereOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${String(step)}`,
    "",
  );

const typeNames: Record<string, string> = { object: "a map of fields", array: "a list", string: "a text" };
