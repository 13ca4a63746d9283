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

/** The component gallery is only in the route table of the development server. */
const GALLERY = "app/routes/dev/";

/** Matches quoted addresses in links, forms and redirects, including template literals. */
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

/** Whether an address matches a route. `*` is an interpolated value: a segment, or a query after one. */
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
