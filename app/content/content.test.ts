import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CATALOGUE } from "~/errors/catalogue";
import { LANGUAGES } from "~/i18n/languages";
import { PAGES_TO_FIND } from "~/routes/_public/pages-to-find";
import { contentIn } from "./index.server";
import { readContent } from "./read-content.server";
import { CONTENT_NAMES, type Content, ENGLISH_ONLY } from "./shared";

const SIGN_IN = ["/signup", "/login", "/dashboard/keys/new"];
const FOR_PROGRAMS = ["/openapi.json", "/error-codes.json", "/health"];
const PLACES_ELSEWHERE: Readonly<Record<string, readonly string[]>> = { "/api-docs/errors": [...CATALOGUE.keys()] };
const pages = CONTENT_NAMES.flatMap((name) =>
  LANGUAGES.filter((language) => language === "en" || !ENGLISH_ONLY.includes(name)).map((language) => ({
    name,
    language,
  })),
);

/** Returns all values of this field within a page, in the order of the text. */
function found(content: Content, key: "href" | "component"): string[] {
  const values: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { kind, name, href } = node as { kind?: string; name?: string; href?: string };
    if (key === "href" && href !== undefined) values.push(href);
    if (key === "component" && kind === "component" && name !== undefined) values.push(name);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(content);
  return values;
}

const placesOf = ({ sections }: Content) => sections.map(({ id }) => id);

describe.each(pages)("the page $name in $language", ({ name, language }) => {
  const content = contentIn(name, language);

  test("is there, and says so", () => {
    expect(content?.language).toBe(language);
  });

  test("has the sections, the parts and the links of the English one", () => {
    const english = contentIn(name, "en") as Content;
    const shape = (page: Content) => [placesOf(page), found(page, "component"), found(page, "href").toSorted()];
    expect(shape(content as Content)).toEqual(shape(english));
    expect(new Set(placesOf(english)).size).toBe(english.sections.length);
  });

  test("gives its parts the same words as the English one", () => {
    const wordsOf = (page: Content) =>
      [...JSON.stringify(page).matchAll(/"kind":"component","name":"(\w+)","words":(\{[^}]*\})/g)].map(
        ([, part, words = "{}"]) => [part, ...Object.keys(JSON.parse(words)).toSorted()],
      );
    expect(wordsOf(content as Content)).toEqual(wordsOf(contentIn(name, "en") as Content));
  });

  test("links to pages and places that are there", () => {
    for (const href of found(content as Content, "href").filter((address) => /^[/#]/.test(address))) {
      const [address = "", place] = href.split("#");
      const path = address.replace(/\?.*$/, "");
      if (path !== "") expect([...PAGES_TO_FIND, ...SIGN_IN, ...FOR_PROGRAMS]).toContain(path);
      if (place === undefined) continue;
      const target = path === "" ? name : CONTENT_NAMES.find((other) => path === `/${other}`);
      // Besides pages of prose, only the list of errors has anchors: its codes.
      const places = target === undefined ? PLACES_ELSEWHERE[path] : placesOf(contentIn(target, "en") as Content);
      expect(places ?? [], href).toContain(place);
    }
  });
});

test("every text is a page's, in a language that pages have", () => {
  const written = readdirSync(join(import.meta.dirname, "pages"), { recursive: true, encoding: "utf8" });
  const known = pages.map(({ name, language }) => join(name, `${language}.md`));
  expect(written.filter((path) => path.endsWith(".md")).toSorted()).toEqual(known.toSorted());
});

test("a text is read once", () => {
  expect(contentIn("home", "de")).toBe(contentIn("home", "de"));
});

test("a translation is not the English text", () => {
  for (const name of CONTENT_NAMES.filter((name) => !ENGLISH_ONLY.includes(name)))
    for (const part of ["title", "description", "heading"] as const) {
      const texts = LANGUAGES.map((language) => contentIn(name, language)?.[part]);
      if (part !== "title") expect(new Set(texts).size, `${name}: ${part}`).toBe(LANGUAGES.length);
    }
});

describe("a page of prose", () => {
  const HEAD = "---\ntitle: A page\ndescription: What the page says, in a sentence that is long enough.\n---\n";

  test("is read into its beginning, its sections and what to read next", () => {
    const page = readContent(
      `${HEAD}\n# Name\n\nLead with \`{{baseUrl}}\`.\n\n- [Begin](/guide)\n\n<Prices title="All of them" />\n\n## 1. One *thing* {#one}\n\n- **Fact** its text\n\n\`\`\`json An error\n{}\n\`\`\`\n\n> [!SANDBOX]\n> Only here.\n\n---\n\n- [Guide](/guide) Read on.\n`,
      "en",
    );
    expect(page).toMatchObject({ title: "A page", heading: "Name", actions: [{ href: "/guide", name: "Begin" }] });
    expect(page.opening).toEqual([{ kind: "component", name: "Prices", words: { title: "All of them" } }]);
    expect(page.sections).toMatchObject([{ id: "one", title: "1. One thing" }]);
    expect(page.sections[0]?.blocks.map(({ kind }) => kind)).toEqual(["list", "code", "callout"]);
    expect(page.sections[0]?.blocks).toMatchObject([{}, { name: "An error", text: "{}" }, { name: "sandbox" }]);
    expect(page.next).toEqual([{ href: "/guide", name: "Guide", text: "Read on." }]);
  });

  test.each([
    ["# Name\n\nLead.", "no front matter"],
    [`${HEAD}\nLead.`, "no title"],
    [`${HEAD}\n# Name\n\nLead.\n\n<script>alert(1)</script>`, "html cannot be shown"],
    [`${HEAD}\n# Name\n\nLead with [a](javascript:x).`, "cannot lead to"],
    [`${HEAD}\n# Name\n\nLead.\n\n---\n\nNo list.`, "stand in a list"],
    ["---\ntitle: A page\ndescription: short\n---\n# Name\n\nLead.", "description"],
  ])("%j is refused", (text, problem) => {
    expect(() => readContent(text, "en")).toThrow(problem);
  });
});
