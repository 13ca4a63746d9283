import { expect, test } from "vitest";
import { readPriceFile } from "./read";
import { MAX_FILE_CHARACTERS } from "./shared";

const linesOf = (text: string) => {
  const { lines, problem } = readPriceFile(text);
  if (lines === null) throw new Error(JSON.stringify(problem));
  return lines;
};
const price = { input_per_mtok: 2_500_000_000n, output_per_mtok: 10_000_000_001n };

test.each([
  ["commas", "supplier,model,input_per_mtok,output_per_mtok\nfar,m,2.5,10.000000001"],
  [
    "semicolons and a byte order mark",
    "\ufeffsupplier;model;input_per_mtok;output_per_mtok\r\nfar;m;2.5;10.000000001\r\n",
  ],
  ["tabs, with empty lines", "supplier\tmodel\tinput_per_mtok\toutput_per_mtok\n\n\nfar\tm\t2.5\t10.000000001\n\n"],
  ["quotes", '"supplier","model","input_per_mtok","output_per_mtok"\n"far","m","2.5","10.000000001"'],
  ["JSON with numbers", '[{"supplier":"far","model":"m","input_per_mtok":2.5,"output_per_mtok":10.000000001}]'],
  [
    "JSON with texts",
    '{"prices":[{"supplier":"far","model":"m","input_per_mtok":"2.5","output_per_mtok":"10.000000001","per_request":null}]}',
  ],
])("%s are read, decimals to the last place", (_, text) => {
  const [line, ...others] = linesOf(text);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ supplier: "far", model: "m", upstreamModel: "m", price, problems: [] });
});

test("quoted cells hold commas, quotes and line ends, and lines are counted as an editor does", () => {
  const text = 'supplier,model,input_per_mtok\nfar,"a ""b"", c",1\nfar,"two\nlines",1\nfar,last,x';
  expect(linesOf(text).map(({ line, model }) => [line, model])).toEqual([
    [2, 'a "b", c'],
    [3, "two\nlines"],
    [5, "last"],
  ]);
});

test("the apostrophe that keeps a spreadsheet from running a name is taken away, one of the name's own is not", () => {
  const text = "supplier,model,input_per_mtok\nfar,'@cf/meta/llama,1\nfar,'quoted',1";
  expect(linesOf(text).map(({ model }) => model)).toEqual(["@cf/meta/llama", "'quoted'"]);
});

test("prices for long inputs are JSON in a cell, with decimals to the last place", () => {
  const cell = '"[{""above_input_tokens"":200000,""input_per_mtok"":0.000000001,""output_per_mtok"":""5""}]"';
  const [line] = linesOf(`supplier,model,input_per_mtok,output_per_mtok,long_context\nfar,m,1,2,${cell}`);
  expect(line?.price?.long_context).toEqual([
    { above_input_tokens: 200_000, input_per_mtok: 1n, output_per_mtok: 5_000_000_000n },
  ]);
});

test.each([
  ["-1", "amount"],
  ["1,5", "shape"],
  ["1e3", "amount"],
  ["0.0000000001", "amount"],
  ["1000001", "amount"],
  ["$2", "amount"],
])("an amount written %s is a problem of its line", (amount, code) => {
  const [line] = linesOf(`supplier,model,input_per_mtok\nfar,m,${amount}`);
  expect(line?.problems.map((problem) => problem.code)).toEqual([code]);
});

test("a line without a name, with a field that no price has, or that is no object, is said to be so", () => {
  const [nameless, other, none] = linesOf(
    '[{"model":"m","input_per_mtok":1},{"supplier":"far","model":"m","discount":1},7]',
  );
  expect(nameless?.problems).toEqual([{ code: "name" }]);
  expect(other?.problems).toEqual([{ code: "column", column: "discount" }]);
  expect(none?.problems.map(({ code }) => code)).toEqual(["shape", "name"]);
});

test.each([
  ["", "empty"],
  ["supplier,model,input_per_mtok", "empty"],
  ["[]", "empty"],
  ["{}", "json"],
  ['[{"supplier":', "json"],
  ["supplier,price\nfar,1", "columns"],
  ["model,input_per_mtok\nm,1", "columns"],
  ["supplier,model,model\nfar,m,m", "columns"],
  ['supplier,model\n"far,m', "quote"],
  ["x".repeat(MAX_FILE_CHARACTERS + 1), "tooLong"],
  [`supplier,model\n${"a,b\n".repeat(2_001)}`, "tooLong"],
])("a file that cannot be read says why: %#", (text, code) => {
  expect(readPriceFile(text).problem?.code).toBe(code);
});

test("half a million quotation marks or commas are read to their end", () => {
  const quotes = `supplier,model\n${'""'.repeat(240_000)}`;
  expect(readPriceFile(quotes).lines).toMatchObject([{ problems: [{ code: "name" }] }]);
  const commas = `supplier,model\n${",".repeat(490_000)}`;
  expect(readPriceFile(commas).problem?.code).toBe("empty");
});
