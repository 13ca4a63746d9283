import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import table from "~/routes";
import { filesUnder } from "./source-tree";

const urlsOf = (entries: readonly RouteConfigEntry[], above = ""): string[] =>
  entries.flatMap(({ path, index, children }) => {
    const url = path === undefined ? above : `${above}/${path}`;
    return [...(path !== undefined || index ? [url || "/"] : []), ...urlsOf(children ?? [], url)];
  });

const urls = urlsOf(table).map((url) => url.split("/"));
const files = filesUnder("app", /\.tsx?$/).filter(({ path }) => !/\.test\.tsx?$|\/__fixtures__\//.test(path));

/** The gallery of building blocks is in the table of the development server only. */
const GALLERY = "app/routes/dev/";

/** Addresses with something of the moment in them, and addresses that code leads on to: what stands between the quotes. */
const WRITTEN = /\b(?:(?:to|href|action|formAction)=\{|redirect\(|to: )(?:`(\/[^`]*)`|"(\/[^"]*)")/g;

test("a link or form names an own page by href(), which the compiler compares with the table", () => {
  const plain = files
    .filter(({ path }) => !path.startsWith(GALLERY))
    .flatMap(({ path, text }) =>
      (text.match(/\b(?:to|href|action|formAction)="\/[^"]*"/g) ?? []).map((at) => [path, at]),
    );
  expect(plain).toEqual([]);
});

test("an address that is put together leads to a row of the table", () => {
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(WRITTEN)].map(([, template, plain]) => ({
      path,
      address: ((template ?? plain) as string).replace(/\$\{[^}]*\}/g, "*"),
    })),
  );
  expect(found.length).toBeGreaterThan(60);
  expect(found.filter(({ address }) => !leadsSomewhere(address))).toEqual([]);
});

/** A value (`*`) is a segment, or a query behind one: some row has to have the same others. */
function leadsSomewhere(address: string): boolean {
  const segments = address
    .replace(/[?#].*$/s, "")
    .split("/")
    .map((segment) => segment.replace(/(?<=.)\*.*$/s, ""));
  return urls.some(
    (url) =>
      url.length === segments.length &&
      url.every((part, place) => segments[place] === "*" || part.startsWith(":") || part === segments[place]),
  );
}

test.each([
  ["/dashboard/keys/*", true],
  ["/login?next=*", true],
  ["/auth/**", true],
  ["/login*", true],
  ["/api-docs/errors#*", true],
  ["/dashboard/kays/*", false],
  ["/dashboard/keys/*/nowhere", false],
])("%s is recognised", (address, leads) => {
  expect(leadsSomewhere(address)).toBe(leads);
});
