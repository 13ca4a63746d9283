import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countTokens as reference } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokens } from "./estimate";

test("counts words exactly, however long the text", async () => {
  const text = "The quick brown fox jumps over the lazy dog, twice. ".repeat(400);
  expect(await countTokens(text)).toBe(reference(text));
});

test("what looks like a control token is counted as text", async () => {
  expect(await countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

test("a run without a break costs no more than any other text, and the process keeps turning", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  let letter = 1;
  const noise = Array.from({ length: 200_000 }, () => {
    letter = (letter * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (letter % 26));
  }).join("");
  const tokens = await countTokens(noise);
  clearInterval(timer);
  expect(tokens).toBeGreaterThan(50_000);
  expect(tokens).toBeLessThan(200_000);
  expect(turns).toBeGreaterThan(3);
});

test("stops where the answer is known", async () => {
  const tokens = await countTokens("word ".repeat(50_000), 2_048);
  expect(tokens).toBeGreaterThan(2_048);
  expect(tokens).toBeLessThan(3_000);
});

test("nothing is nothing, and what is too long is counted by its beginning", async () => {
  expect(await countTokens("")).toBe(0);
  const long = await countTokens("word ".repeat(200_000));
  expect(Math.abs(long - 200_000)).toBeLessThan(1_000);
});

test("a text that was counted does not stay in memory, however rare its words", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const rest = " word".repeat(60_000);
  await countTokens(rest, 1);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let text = 0; text < 200; text += 1) {
    const rare = `Xq${text.toString(2).padStart(8, "0").replaceAll("0", "vj").replaceAll("1", "wz")}`;
    // A text of its own, as a body that was read brings it; counting ends with its first words.
    await countTokens(Buffer.from(rare + rest).toString(), 1);
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});
