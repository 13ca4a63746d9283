import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import table from "~/routes";
import { filesUnder, ROOT } from "./source-tree";

type Row = { url: string; file: string };

function rowsOf(entries: readonly RouteConfigEntry[], above = ""): Row[] {
  return entries.flatMap(({ path, index, file, children }) => {
    const url = path === undefined ? above : `${above}/${path}`;
    const row = path !== undefined || index ? [{ url: url || "/", file }] : [];
    return [...row, ...rowsOf(children ?? [], url)];
  });
}

const rows = rowsOf(table);
const ROUTE_EXPORT =
  /^export (?:const|async function|function) (?:loader|action)\b|^export \{[^}]*\b(?:loader|action)\b|^export default /m;

test("every row has its file", () => {
  expect(rows.filter(({ file }) => !existsSync(join(ROOT, "app", file)))).toEqual([]);
});

test("every file that answers requests has a row", () => {
  const inTable = new Set([...rows.map(({ file }) => file), ...layoutsOf(table)]);
  const answering = filesUnder("app/routes", /\.tsx?$/).filter(
    ({ path, text }) => !path.includes(".test.") && ROUTE_EXPORT.test(text),
  );
  const unreachable = answering.map(({ path }) => path.slice("app/".length)).filter((file) => !inTable.has(file));
  expect(unreachable).toEqual([]);
});

test("no URL and no file is in the table twice", () => {
  for (const values of [rows.map(({ url }) => url), rows.map(({ file }) => file)])
    expect(values).toEqual([...new Set(values)]);
});

test("a file's place follows from its URL", () => {
  const bySpelling = rows.filter(({ url, file }) => {
    const folder = url === "/" ? "/home" : url.replaceAll("/:", "/$").replace(/\/\*$/, "/unknown");
    const place = file.replace(/^routes/, "").replace(/^\/_[^/]+/, "");
    return place !== `${folder}/page.tsx` && place !== `${folder}.ts`;
  });
  expect(bySpelling).toEqual([]);
});

test("unknown paths of the gateway end in its own catch-all", () => {
  expect(rows).toContainEqual({ url: "/v1/*", file: "routes/v1/unknown.ts" });
});

test("every answer under /v1 takes any method, so that none ends in a page", () => {
  const files = new Map(filesUnder("app/routes/v1", /\.ts$/).map(({ path, text }) => [path, text]));
  const partial = rows.filter(({ url, file }) => {
    const text = files.get(`app/${file}`) ?? "";
    return url.startsWith("/v1/") && !(/\bloader\b/.test(text) && /\baction\b/.test(text));
  });
  expect(partial).toEqual([]);
});

function layoutsOf(entries: readonly RouteConfigEntry[]): string[] {
  return entries.flatMap(({ path, index, file, children }) => [
    ...(path === undefined && !index ? [file] : []),
    ...layoutsOf(children ?? []),
  ]);
}
