import { beforeEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { readMarkdown } from "~/content/read-markdown.server";
import { fillPlaceholders } from "./fill-placeholders";
import { currentLegalVersion, legalDocument, legalVersions } from "./index.server";
import { ACCEPTED_NAMES, LEGAL_NAMES } from "./shared";
import { sourcesOf } from "./sources.server";

beforeEach(() => setConfig(readConfig({})));

describe("every document", () => {
  test.each(LEGAL_NAMES)("%s can be read in each of its versions", (name) => {
    expect(legalVersions(name).length).toBeGreaterThan(0);
    for (const version of legalVersions(name)) {
      const document = legalDocument(name, version);
      expect(document).toMatchObject({ name, version, isCurrent: version === legalVersions(name)[0] });
      expect(document?.outline.length).toBeGreaterThan(2);
      expect(new Set(document?.outline.map(({ id }) => id)).size).toBe(document?.outline.length);
    }
  });

  test("says plainly what the operator has not filled in, and takes it from the configuration", () => {
    expect(legalDocument("privacy")?.missing).toContain("the operator’s name");
    expect(JSON.stringify(legalDocument("privacy")?.blocks)).toContain("[the operator’s name is not set]");
    setConfig(
      readConfig({
        GW_OPERATOR_NAME: "Example & Sons *Ltd*",
        GW_OPERATOR_ADDRESS: "1. Main Street, Springfield",
        GW_OPERATOR_EMAIL: "legal@example.com",
        GW_OPERATOR_COUNTRY: "Ireland",
      }),
    );
    for (const name of LEGAL_NAMES) expect(legalDocument(name)?.missing).toEqual([]);
    const privacy = JSON.stringify(legalDocument("privacy")?.blocks);
    for (const part of ["Example & Sons *Ltd*", "legal@example.com"]) expect(privacy).toContain(part);
  });

  test("an unknown version is not there", () => {
    for (const version of ["1999-01-01", "toString", "", "../terms/2026-11-21"])
      expect(legalDocument("terms", version)).toBeNull();
  });
});

test("the version that people accept is the newest day among the documents they accept", () => {
  const newest = ACCEPTED_NAMES.map((name) => legalVersions(name)[0]).toSorted();
  expect(currentLegalVersion()).toBe(newest.at(-1));
});

test("a file that is no version of a document is refused", () => {
  for (const path of ["./terms/next.md", "./other/2026-01-01.md", "./terms/2026-01-01/x.md"])
    expect(() => sourcesOf({ [path]: "" })).toThrow(path);
  expect(sourcesOf({ "./terms/2026-01-01.md": "a", "./terms/2026-02-01.md": "b" }).terms).toEqual({
    "2026-01-01": "a",
    "2026-02-01": "b",
  });
});

describe("Markdown", () => {
  test.each([
    "# T\n\n<script>alert(1)</script>",
    "# T\n\nText <b onclick=x>bold</b>",
    "# T\n\n![picture](https://example.com/x.png)",
    "# T\n\n[press](javascript:alert(1))",
    "# T\n\n[press](//example.com)",
    "no title",
  ])("%j cannot be shown", (text) => {
    expect(() => readMarkdown(text)).toThrow();
  });

  test("becomes a tree of the kinds that pages show", () => {
    const { title, blocks } = readMarkdown(
      "# A & B\n\n## One *two*\n\nText with `code`, a [link](/x).\n\n- a\n- b\n\n|h|\n|-|\n|c|",
    );
    expect(title).toBe("A & B");
    expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "paragraph", "list", "table"]);
    expect(blocks[0]).toMatchObject({ id: "one-two", level: 2 });
  });
});

test("an operator's details are text, whatever they contain", () => {
  const operator = { name: "<b>[x](javascript:1)</b> `y`", address: null, email: null, country: null };
  const { text } = fillPlaceholders("# T\n\nBy {{name}}.", operator);
  expect(readMarkdown(text).blocks).toEqual([
    { kind: "paragraph", inner: [{ kind: "text", text: `By ${operator.name}.` }] },
  ]);
  expect(() => fillPlaceholders("{{nothing}}", operator)).toThrow("{{nothing}}");
});
