/**
 * A statement of a repeatable script: creates a function or a view, or grants a function. `name`: that function or
 * view.
 */
export type ScriptStatement = { makes: "function" | "view" | null; name: string; text: string };

const KINDS: readonly [makes: ScriptStatement["makes"], pattern: RegExp][] = [
  ["function", /^CREATE OR REPLACE FUNCTION (\w+)\s*\(/],
  ["view", /^CREATE OR REPLACE VIEW (\w+)\s/],
  [null, /^(?:REVOKE|GRANT)\s[^;]*?\sON FUNCTION (\w+)\s*\(/],
];
/**
 * Tokens that may contain a semicolon, in this order: line comments, block comments, texts, names, function bodies;
 * then the semicolon.
 */
const PIECE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g;
const COMMENTS_BEFORE = /^(?:\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/;

/**
 * Splits a script at the semicolons between its statements.
 * @throws Error for a statement of another kind, because its schema would be unknown.
 */
export function statementsOf(script: { name: string; sql: string }): ScriptStatement[] {
  return textsOf(script.sql).map((text) => {
    const statement = text.replace(COMMENTS_BEFORE, "");
    for (const [makes, pattern] of KINDS) {
      const name = pattern.exec(statement)?.[1];
      if (name !== undefined) return { makes, name, text };
    }
    throw new Error(
      `${script.name} may have CREATE OR REPLACE FUNCTION and VIEW, and who may use a function, not: ${statement.split("\n")[0]}`,
    );
  });
}

/** Returns the statements of a script, each with the comments before it. */
export function textsOf(sql: string): string[] {
  const ends = [...sql.matchAll(PIECE)].flatMap((piece) => (piece[0] === ";" ? [piece.index + 1] : []));
  const texts = [0, ...ends].map((start, index) => sql.slice(start, ends[index]).trim());
  return texts.filter((text) => text.replace(COMMENTS_BEFORE, "") !== "" && !/^(?:--[^\n]*\s*)+$/.test(text));
}

/**
 * Returns the names of the functions that all releases on a database share: trigger functions, because a trigger exists
 * once per table; IMMUTABLE functions, because indexes may use them; and all functions that these call. They must also
 * work with the previous release.
 */
export function sharedFunctions(statements: readonly ScriptStatement[]): ReadonlySet<string> {
  const functions = new Map(
    statements.flatMap(({ makes, name, text }) => (makes === "function" ? [[name, text]] : [])),
  );
  const shared = new Set<string>();
  const add = (name: string) => {
    const text = functions.get(name);
    if (text === undefined || shared.has(name)) return;
    shared.add(name);
    for (const [, called] of text.replace(/--[^\n]*/g, "").matchAll(/\b(\w+)\s*\(/g)) add(called as string);
  };
  for (const [name, text] of functions) if (/\bRETURNS trigger\b|\bIMMUTABLE\b/.test(text)) add(name);
  return shared;
}
