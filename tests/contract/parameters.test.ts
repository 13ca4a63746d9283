import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder } from "./source-tree";

const MAX_PARAMETERS = 3;

/** Types of leading parameters, which do not count: a database, its connection, a tenant, an actor. */
const LEADING = /^(?:Db|Reads|SqlLink|OrgScope|KeyScope|Actor)$|^Pick<Actor,/;

/** Functions that keep more parameters, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "app/entry.server.tsx handleRequest": "React Router calls it so",
  "app/http/body/multipart.ts a function without a name": "the parser of forms calls it so",
  "app/gateway/dialects/wire/events/sse.ts endOfEvent": "runs for every event of every stream",
  "app/access/sign-in/openid-client.server.ts a function without a name": "openid-client calls it so",
  "app/domain/accounting/link/sql-link.ts send": "runs for every statement about money",
};

type Named = { name: string; parameters: number };

/** Returns the functions of a file with more than three parameters besides the leading ones, by declared name. */
function wideFunctions(path: string, text: string): Named[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, scriptKind(path));
  const found: Named[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && !isTypeOnly(node)) {
      const counted = node.parameters.filter(({ name }) => name.getText(source) !== "this");
      const first = counted.findIndex(({ type }) => !LEADING.test(type?.getText(source) ?? ""));
      const parameters = first === -1 ? 0 : counted.length - first;
      if (parameters > MAX_PARAMETERS) found.push({ name: nameOf(node, source), parameters });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const scriptKind = (path: string) => (path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS);

/** Whether a function is only a type; the function itself is counted at its declaration. */
const isTypeOnly = (node: ts.SignatureDeclaration) => !("body" in node) || node.body === undefined;

function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText(source) ?? "a function without a name";
}

const all = filesUnder("app", /\.tsx?$/)
  .filter(({ path }) => !/\.test\.tsx?$|\/__fixtures__\//.test(path))
  .flatMap(({ path, text }) => wideFunctions(path, text).map(({ name }) => `${path} ${name}`));

test("a function takes at most three parameters, or one object", () => {
  expect(all.filter((place) => EXCEPTIONS[place] === undefined)).toEqual([]);
});

test("every exception is still one", () => {
  expect(Object.keys(EXCEPTIONS).filter((place) => !all.includes(place))).toEqual([]);
});

test("functions, arrows and methods are counted, types and `this` are not", () => {
  const text = `
    function wide(a, b, c, d) {}
    const arrow = (a: number, b: number, c: number, d?: number) => a;
    class Thing { constructor(a, b, c, d) {} method({ a, b, c, d }) {} #own(a, b, c, d) {} }
    type Shape = { call(a: 1, b: 2, c: 3, d: 4): void };
    function narrow(this: Thing, a, b, c) {}
    const led = (db: Db, actor: Actor, a: string, b: string, c: string) => a;
    const last = (a: string, b: string, c: string, actor: Actor) => a;`;
  expect(wideFunctions("a.ts", text).map(({ name }) => name)).toEqual([
    "wide",
    "arrow",
    "a function without a name",
    "#own",
    "last",
  ]);
});
