import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine } from "~/values/csv";
import { csvResponse } from "./csv";

test("cells are quoted where they must be", () => {
  expect(csvLine(["a", 'say "x"', "1,2", "two\nlines", null, 5, true, new Date(0)])).toBe(
    'a,"say ""x""","1,2","two\nlines",,5,true,1970-01-01T00:00:00.000Z\r\n',
  );
});

test.each([
  "=1+1",
  "+1",
  "-A1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  " =1",
  "=HYPERLINK(1)",
  "\tDDE",
  "\rDDE",
  "\nDDE",
  "＝1+1",
  "＋1",
  "－1+1",
  "＠SUM(A1)",
  " ＝1",
])("%j does not run as a formula", (text) => {
  expect(csvLine([text])).toMatch(/^"?'/);
});

test("no text begins a formula, wherever a spreadsheet divides and whether it minds quotation marks", () => {
  const piece = fc.constantFrom("a", "1", " ", '"', ",", ";", "\t", "\r", "\n", "=", "+", "-", "@", "＝", "＠", "'");
  const cell = fc.string({ unit: piece, maxLength: 12 }).filter((text) => !/^-?\d+(\.\d+)?$/.test(text));
  const cellsOf = (line: string) =>
    [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
      const line = csvLine(cells);
      for (const divided of [cellsOf(line), line.slice(0, -2).split(/[;\t\r\n]/)])
        for (const begun of divided) expect(begun.replace(/^"/, "")).not.toMatch(/^\s*[=+\-@＝＠]/);
    }),
    { numRuns: 2_000 },
  );
  expect(csvLine(["a;=1+1", "b\t@SUM(A1)", "x; y"])).toBe(`"a;'=1+1","b\t'@SUM(A1)","x; y"\r\n`);
});

test("numbers are left alone", () => {
  expect(csvLine([-5, 0.25])).toBe("-5,0.25\r\n");
  expect(csvLine(["-0.000035500", "10", "-1", "-1+1", "-1\n"])).toBe("-0.000035500,10,-1,'-1+1,\"'-1\n\"\r\n");
});

test("a page is read when the one before it has been taken", async () => {
  let pages = 0;
  async function* lines() {
    for (; pages < 3; pages += 1) yield [[pages], [pages]];
  }
  const response = await csvResponse("file.csv", ["n"], lines());
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="file.csv"');
  expect(await response.text()).toBe("n\r\n0\r\n0\r\n1\r\n1\r\n2\r\n2\r\n");
});

test("a file for people says that it is UTF-8, one for programs begins with its first column", async () => {
  const bytes = async (isForPrograms: boolean) => {
    const response = await csvResponse({ name: "file.csv", isForPrograms }, ["Grüße"], pages());
    return Buffer.from(await response.arrayBuffer()).toString("utf8");
  };
  async function* pages() {
    yield [["ß"]];
  }
  expect(await bytes(false)).toBe("\ufeffGrüße\r\nß\r\n");
  expect(await bytes(true)).toBe("Grüße\r\nß\r\n");
});

test("a problem before the first page is thrown, one after it breaks the file off", async () => {
  async function* failing(after: number) {
    for (let page = 0; page < after; page += 1) yield [["x"]];
    throw new Error("no database");
  }
  await expect(csvResponse("file.csv", ["n"], failing(0))).rejects.toThrow("no database");
  const response = await csvResponse("file.csv", ["n"], failing(1));
  await expect(response.text()).rejects.toThrow();
});
