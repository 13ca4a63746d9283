import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { decode, countTokens as reference } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokens, MAX_TOKEN_CHARACTERS, TokenBudget } from "./estimate";

test("counts words exactly, however long the text", async () => {
  const text = "The quick brown fox jumps over the lazy dog, twice. ".repeat(400);
  expect(await countTokens(text)).toBe(reference(text));
});

test("what looks like a control token is counted as text", async () => {
  expect(await countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

let letter = 1;
const noise = (length: number) =>
  Array.from({ length }, () => {
    letter = (letter * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (letter % 26));
  }).join("");

test("a run without a break costs no more than any other text, and the process keeps turning", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const tokens = await countTokens(noise(200_000));
  clearInterval(timer);
  expect(tokens).toBeGreaterThan(50_000);
  expect(tokens).toBeLessThan(200_000);
  expect(turns).toBeGreaterThan(3);
});

test("stops where the answer is known", async () => {
  const tokens = await new TokenBudget().count("word ".repeat(50_000), 2_048);
  expect(tokens).toBeGreaterThan(2_048);
  expect(tokens).toBeLessThan(3_000);
});

test("nothing is nothing, and what is too long is counted by samples", async () => {
  expect(await countTokens("")).toBe(0);
  const long = await countTokens("word ".repeat(200_000));
  expect(Math.abs(long - 200_000)).toBeLessThan(1_500);
  // Half of the text is cheap, whether the first or the second.
  const [cheap, dear] = [" ".repeat(600_000), "漢".repeat(600_000)];
  const halves = await Promise.all([countTokens(cheap + dear), countTokens(dear + cheap), countTokens(dear)]);
  for (const half of halves) expect(half / halves[2]!).toBeGreaterThan(0.45);
  expect(Math.abs(halves[0]! - halves[1]!)).toBeLessThan(halves[2]! / 20);
});

test("all texts of a request are counted within one budget; beyond it there is no figure", async () => {
  const budget = new TokenBudget();
  const counted: (number | null)[] = [];
  for (let text = 0; text < 100; text += 1) counted.push(await budget.count(noise(3_300), 2_048));
  const beyond = counted.indexOf(null);
  expect(beyond).toBeGreaterThan(50);
  expect(beyond).toBeLessThan(70);
  expect(counted.slice(beyond)).toEqual(Array(100 - beyond).fill(null));
});

test("no token is longer than is assumed", () => {
  let longest = 0;
  for (let token = 0; token < 199_998; token += 1) longest = Math.max(longest, decode([token]).length);
  expect(longest).toBe(MAX_TOKEN_CHARACTERS);
});

test("a text that was counted does not stay in memory, however rare its words", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const rest = " word".repeat(60_000);
  await new TokenBudget().count(rest, 1);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let text = 0; text < 200; text += 1) {
    const rare = `Xq${text.toString(2).padStart(8, "0").replaceAll("0", "vj").replaceAll("1", "wz")}`;
    // A separate string for each text, as a parsed body would have; counting ends after its first words.
    await new TokenBudget().count(Buffer.from(rare + rest).toString(), 1);
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});
