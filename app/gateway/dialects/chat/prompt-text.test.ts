import { expect, test } from "vitest";
import { aPrice } from "~/domain/routing/__fixtures__/routes";
import type { PricedRoute } from "../../route/route-plan";
import { measured } from "../../settle/measure";
import { chatDialect } from "./index";
import { readChat } from "./read";

const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * 7_919) % 251)).toString("base64");
const read = (...content: object[]) => readChat(JSON.stringify({ model: "m", messages: [{ role: "user", content }] }));

/** Returns the input tokens charged for a broken answer whose supplier reported no usage. */
async function inputOf(...content: object[]): Promise<number> {
  const bounds = { inputTokens: 200_000, outputTokens: 100 };
  const end = { usage: null, outputText: () => "word", route: { price: aPrice() } as PricedRoute };
  return (await measured({ inference: read(...content), dialect: chatDialect }, bounds, end)).usage.inputTokens;
}

test.each([
  ["a picture", { type: "image_url", image_url: { url: `data:image/png;base64,${bytes}` } }, 1_500],
  ["a picture in the short form", { type: "image_url", image_url: `data:image/png;base64,${bytes}` }, 1_500],
  ["a picture elsewhere", { type: "image_url", image_url: { url: "https://example.com/a.png" } }, 1_500],
  ["a PDF", { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${bytes}` } }, 2_400],
  ["a sound", { type: "input_audio", input_audio: { data: bytes, format: "mp3" } }, 38],
])("%s is estimated by what it costs, not by its bytes", async (_name, part, tokens) => {
  const found = await inputOf({ type: "text", text: "look" }, part);
  expect(found).toBeGreaterThan(tokens);
  expect(found).toBeLessThan(tokens + 60);
});

test("the address of a picture is text that goes in, its bytes are none", () => {
  const picture = (url: string) => ({ type: "image_url", image_url: { url } });
  const text = chatDialect.promptText(
    read(picture("https://example.com/a.png"), picture(`data:image/png;base64,${bytes}`)),
  );
  expect(text).toContain("https://example.com/a.png");
  expect(text).not.toContain(bytes.slice(0, 100));
});

test("tools go in too", () => {
  const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];
  const inference = readChat(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], tools }));
  expect(chatDialect.promptText(inference)).toContain("get_weather");
  expect(chatDialect.promptText(read({ type: "text", text: "hi" }))).toContain("hi");
});
