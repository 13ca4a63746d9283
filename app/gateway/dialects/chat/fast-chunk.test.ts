import { expect, test } from "vitest";
import { isOrdinary, OrdinaryEvents } from "./fast-chunk";

const piece = (text: string, { before = '"owner":1', behind = '"finish_reason":null,"at":1234' } = {}) =>
  `data: {"id":"chat",${before},"choices":[{"delta":{"content":"${text}"},${behind}}]}\n\n`;

/** Returns the ordinary length of a chunk in a stream after a piece with the text "one". */
function lengthBehindOne(chunk: string): number {
  const ordinary = new OrdinaryEvents();
  expect(ordinary.length(piece("one"))).toBe(piece("one").length);
  return ordinary.length(chunk);
}

test("pieces that differ in their text only are ordinary, one or many in a chunk", () => {
  for (const texts of [
    ["two"],
    [""],
    ["two", "three and four"],
    ["\\\\", "\\n", "it's"],
    ['say \\"yes\\"', "\\u0000"],
  ]) {
    const chunk = texts.map((text) => piece(text)).join("");
    expect(lengthBehindOne(chunk)).toBe(chunk.length);
  }
});

test("what stands around the text is judged again where it has changed, however alike it looks", () => {
  const others = [
    piece("two", { before: '"error":1' }),
    piece("two", { behind: '"finish_reason":"stop","at":12' }),
    piece("two", { behind: '"finish_reason":null,"usage":{}' }),
    piece('two","usage":{"prompt_tokens":1},"more":"'),
    piece('two"},"finish_reason":"stop"},{"delta":{"content":"'),
    piece("two", { behind: '"finish_reason":null},{"index":1,"delta":{},"finish_reason":"stop"' }),
  ];
  for (const other of others) {
    expect(isOrdinary(other.slice("data: ".length, -2))).toBe(false);
    expect(lengthBehindOne(other)).toBe(0);
    expect(lengthBehindOne(piece("two") + other + piece("three"))).toBe(piece("two").length);
  }
});

test("another shape that is ordinary goes on, and the next of its kind and of the first", () => {
  const thought = piece("hm").replace('"content"', '"reasoning_content"');
  const empty = 'data: {"id":"chat","choices":[]}\n\n';
  const chunk = [thought, thought, piece("two"), empty, piece("three"), thought].join("");
  expect(lengthBehindOne(chunk)).toBe(chunk.length);
});

test("an event that is not whole, has a line more or another line end waits for the reader", () => {
  const two = piece("two");
  for (const odd of [two.slice(0, -1), two.slice(0, -8), two.replace("two", "t\nwo"), two.replace("two", "t\rwo")])
    expect(lengthBehindOne(odd)).toBe(0);
  expect(lengthBehindOne(two.replaceAll("\n", "\r\n"))).toBe(0);
  expect(lengthBehindOne(`${two}${two.replaceAll("\n", "\r\n")}`)).toBe(two.length);
  expect(lengthBehindOne(`: waiting\n\n${two}`)).toBe(0);
  expect(lengthBehindOne(`event: x\n${two}`)).toBe(0);
});
