import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAY_USE, rankOf } from "./layers";
import { filesUnder, foldersUnder, ROOT } from "./source-tree";

const PAGES = ["docs/architecture.md", "docs/first-day.md", "docs/glossary.md"];
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const architecture = read("docs/architecture.md");

/** The cells of the table beneath the row that begins with these header cells. */
function tableOf(...header: string[]): string[][] {
  const lines = architecture.split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`| ${header.join(" | ")}`));
  if (begin < 0) throw new Error(`docs/architecture.md has no table of ${header.join(", ")}`);
  const rows = lines.slice(begin + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (text: string) => text.split(", ").filter((name) => name !== "");
const rooms = readdirSync(join(ROOT, "app/domain"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe("docs/architecture.md says what the tree is", () => {
  test("each stage is a folder with an index, and the request passes them in this order", () => {
    const stages = tableOf("stage", "folder").map(([name, folder]) => ({ name: name!, folder: folder!.slice(1, -1) }));
    expect(stages.filter(({ folder }) => !existsSync(join(ROOT, folder, "index.ts")))).toEqual([]);
    expect(stages.filter(({ name, folder }) => folder !== `app/gateway/${name}`)).toEqual([]);
    const serve = read("app/gateway/serve.server.ts");
    const calls = { route: "route(", admit: "await admit(", call: "await dispatch(", deliver: "await deliver(" };
    const order = Object.values(calls).map((call) => serve.indexOf(call));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(stages.map(({ name }) => name)).toEqual([...Object.keys(calls), "settle"]);
  });

  test("every room is listed, in the order in which rooms may use each other", () => {
    const listed = tableOf("order", "rooms").flatMap(([order, names]) =>
      namesIn(names!).map((room) => ({ room, rank: Number(order) - 1 })),
    );
    expect(listed.map(({ room }) => room).toSorted()).toEqual(rooms.toSorted());
    expect(listed.filter(({ room, rank }) => rankOf(room) !== rank)).toEqual([]);
  });

  test("every room has its face, and those without a schema.sql are named", () => {
    const faces = rooms.flatMap((room) => [`app/domain/${room}/index.server.ts`, `app/domain/${room}/shared.ts`]);
    expect(faces.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const named = /Rooms without tables of their\s+own: ([^.]+)\./.exec(architecture)?.[1] ?? "";
    expect(namesIn(named.replaceAll(/\s+/g, " ")).toSorted()).toEqual(
      rooms.filter((room) => !existsSync(join(ROOT, `app/domain/${room}/schema.sql`))).toSorted(),
    );
  });

  test("the parts may use what the table says, and nothing else", () => {
    const listed = tableOf("part", "may use").flatMap(([parts, uses]) =>
      namesIn(parts!).map((part) => [part, namesIn(uses!).toSorted()] as const),
    );
    const declared = Object.entries(MAY_USE).map(([part, uses]) => [part, uses.toSorted()] as const);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
  });

  test("every schema.sql is of a room or is named", () => {
    const outside = filesUnder("app", /^schema\.sql$/)
      .map(({ path }) => path)
      .filter((path) => !/^app\/domain\/[^/]+\/schema\.sql$/.test(path));
    expect(outside.filter((path) => !architecture.includes(`\`${path}\``))).toEqual([]);
  });
});

test.each(PAGES)("every file and folder that %s names exists", (page) => {
  const named = [...read(page).matchAll(/`((?:app|docs|prisma|scripts|tests)\/[\w./*-]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(10);
  const tree = ["app", "docs", "prisma", "scripts", "tests"].flatMap((folder) => [
    folder,
    ...foldersUnder(folder),
    ...filesUnder(folder, /./).map(({ path }) => path),
  ]);
  const there = new Set(tree);
  const isThere = (path: string) =>
    path.includes("*") ? tree.some((each) => globOf(path).test(each)) : there.has(path.replace(/\/$/, ""));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

/** A `*` stands for a part of a name. */
const globOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*")}$`);

describe("the Markdown of the documents", () => {
  const pages = [
    ...filesUnder("docs", /\.md$/),
    ...["README.md", "CONTRIBUTING.md", "SECURITY.md"].map((path) => ({ path, text: read(path) })),
  ];

  test("a link within the repository leads to a file, and to a heading of it", () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link]) => link!)
        .filter((link) => !/^(?:[a-z]+:|\/)/.test(link) && !leadsSomewhere(path, link))
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test("the list of decisions has every one of them", () => {
    const list = read("docs/decisions/README.md");
    const files = readdirSync(join(ROOT, "docs/decisions")).filter((name) => /^\d/.test(name));
    expect(files.filter((name) => !list.includes(`](${name})`))).toEqual([]);
  });
});

function leadsSomewhere(from: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? join(ROOT, from) : join(ROOT, from, "..", file);
  if (!existsSync(target)) return false;
  if (heading === undefined || !target.endsWith(".md")) return true;
  return headingsOf(readFileSync(target, "utf8")).includes(heading);
}

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```/gms, "");

/** The anchors of a page, as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
}
