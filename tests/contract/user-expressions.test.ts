import { expect, test } from "vitest";
import { z } from "zod";
import { timesOf } from "~/domain/reports/cadence";
import { instanceOf } from "~/gateway/suppliers/sandbox/instance";
import { textMatching } from "~/gateway/suppliers/sandbox/pattern";
import { declarationOf } from "~/http/declaration";
import { servedRows } from "./served-rows";

type Node = { [name: string]: unknown };

/** Returns the paths of strings without a maximum length below a described value. */
function unbounded(node: unknown, at: string, root: Node, seen = new Set<unknown>()): string[] {
  if (typeof node !== "object" || node === null || seen.has(node)) return [];
  seen.add(node);
  const schema = node as Node;
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1) as string;
    return unbounded((root.$defs as Node | undefined)?.[name], at, root, seen);
  }
  const isText = schema.type === "string";
  const isBounded = ["maxLength", "enum", "const", "format", "pattern"].some((name) => name in schema);
  const below = Object.entries(schema).flatMap(([name, inner]) => {
    if (name === "properties")
      return Object.entries(inner as Node).flatMap(([field, each]) => unbounded(each, `${at} ${field}`, root, seen));
    if (name === "items" || name === "additionalProperties") return unbounded(inner, at, root, seen);
    if (name === "anyOf" || name === "oneOf" || name === "allOf")
      return (inner as unknown[]).flatMap((each) => unbounded(each, at, root, seen));
    return [];
  });
  return isText && !isBounded ? [at] : below;
}

/** Strings that are not expressions: their readers bound them part by part, or by their possible values. */
const READ_IN_PARTS: ReadonlySet<string> = new Set(
  [
    "allowed_origins allowed_regions metadata headers query key_header source_org_ids",
    "from expires_at overlap_hours cursor request",
    "sure confirm cancelled password new_password",
  ].flatMap((names) => names.split(" ")),
);

test("every text that a form, a query or the management API takes has a longest length", async () => {
  const rows = await servedRows();
  const found = rows.flatMap(({ path, module }) =>
    [module.loader, module.action].flatMap((handler) => {
      const declared = declarationOf(handler);
      return [...Object.values(declared?.body ?? {}), ...Object.values(declared?.query ?? {})].flatMap((schema) => {
        const described = z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" }) as Node;
        return unbounded(described, path, described);
      });
    }),
  );
  expect([...new Set(found)].map((each) => each.split(" ").at(-1)).filter((name) => !READ_IN_PARTS.has(name!))).toEqual(
    [],
  );
});

/** The most expensive value of each kind of user expression, and a bound on its work, measured by results, not time. */
const WORK: readonly [what: string, most: number, work: () => number][] = [
  [
    "times of a cron pattern",
    30,
    () => timesOf("0 0,12 * * *", "Europe/Berlin", { after: new Date(0), count: 30 })!.length,
  ],
  [
    "times of a cron pattern that never comes",
    0,
    () => timesOf("0 8 30 2 *", "UTC", { after: new Date(0), count: 30 })?.length ?? 0,
  ],
  ["a text for a pattern in a schema", 200, () => textMatching("(((a{900}){900}){900}){900}")!.length],
  [
    "an instance of a schema that doubles with each reference",
    50_000,
    () => JSON.stringify(instanceOf(doubling(40), "x")).length,
  ],
];

test.each(WORK)("%s: at most %d", (_, most, work) => {
  expect(work()).toBeLessThanOrEqual(most);
});

function doubling(levels: number): object {
  const $defs: Node = { d0: { type: "string" } };
  for (let level = 1; level <= levels; level += 1)
    $defs[`d${level}`] = {
      type: "object",
      properties: { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } },
      required: ["a", "b"],
    };
  return { $defs, $ref: `#/$defs/d${levels}` };
}
