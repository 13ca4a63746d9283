import text from "./controls.md?raw";

/** A rule, its enforcement, and tests that fail without it. A contract test verifies that each test exists. */
export type Control = { rule: string; how: string; tests: readonly { file: string; name: string }[] };
/** `id` is the anchor of its rules on the page. */
export type ControlArea = { id: string; controls: readonly Control[] };

/** The rules of `controls.md`: a heading for each area and rule, how it is enforced, and a list of its tests. */
export const CONTROLS: readonly ControlArea[] = partsOf(text, "# ").map(([id, rules]) => ({
  id,
  controls: partsOf(rules, "## ").map(([rule, body]) => {
    const [how = "", list = ""] = body.split("\n\n");
    const tests = [...list.matchAll(/^- (\S+): (.+)$/gm)].map(([, file = "", name = ""]) => ({ file, name }));
    return { rule, how, tests };
  }),
}));

/** Splits a text at its headings: the heading and what follows it. */
function partsOf(whole: string, mark: "# " | "## "): [heading: string, body: string][] {
  const [, ...parts] = `\n${whole}`.split(`\n${mark}`);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    return [part.slice(0, end), part.slice(end).trim()];
  });
}
