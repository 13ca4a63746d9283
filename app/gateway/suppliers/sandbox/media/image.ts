import { createHash } from "node:crypto";
import { type Answer, requestIn, type SandboxDialect, type SandboxRequest } from "../act";
import { bad } from "../chat-request";
import { chatError } from "../chat-wire";
import { partsOf } from "../form";
import { TokenCount } from "../tokens";
import { type Colour, pngOf } from "./png";

type ImageRequest = { prompt?: unknown; n?: unknown; size?: unknown };

/** Images are smaller than requested by this factor, to keep answers small. */
const SHRINK = 8;
const CELLS = 8;
const MAX_IMAGES = 10;
/** Output tokens per image, of any size. */
const TOKENS_EACH = 272;

/** Images as patterns derived from the prompt: equal prompts give equal pictures. */
export const image: SandboxDialect = {
  answer: answerImage,
  errorBody: chatError,
  errorEvent: chatError,
};

/** The same for image edits; the picture also depends on the input images. */
export const imageEdit: SandboxDialect = { ...image, answer: answerEdit };

async function answerEdit(inference: SandboxRequest): Promise<Answer> {
  const form = partsOf(Buffer.from(inference.body), inference.contentType);
  const prompt = form.get("prompt")?.toString();
  const images = ["image", "image[]"].flatMap((name) => form.get(name) ?? []);
  if (prompt === undefined || images.length === 0) throw bad("prompt and image are needed");
  const seed = createHash("sha256");
  for (const each of images) seed.update(each);
  const [n, size] = [Number(form.get("n")?.toString() ?? 1), form.get("size")?.toString()];
  return imagesOf(inference, { prompt, n, size, seed: seed.digest("hex") });
}

async function answerImage(inference: SandboxRequest): Promise<Answer> {
  const { prompt, n, size } = (await requestIn(inference)) as ImageRequest;
  if (typeof prompt !== "string" || prompt === "") throw bad("prompt must be a text");
  return imagesOf(inference, { prompt, n, size, seed: "" });
}

type Wanted = { prompt: string; n?: unknown; size?: unknown; seed: string };

async function imagesOf(inference: SandboxRequest, { prompt, n, size, seed }: Wanted): Promise<Answer> {
  const count = Math.min(MAX_IMAGES, Number.isInteger(n) ? (n as number) : 1);
  const [width, height] = shapeOf(size);
  const data = [];
  for (let index = 0; index < count; index += 1) {
    const png = await pictureOf(`${index} ${prompt}${seed}`, width, height);
    data.push({ b64_json: png.toString("base64") });
  }
  const answer = { created: Math.floor(Date.now() / 1000), data, ...reported(inference, prompt, count) };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(answer)) };
}

function reported(inference: SandboxRequest, prompt: string, count: number): object {
  if (inference.usage === "none") return {};
  if (inference.usage === "insane") return { usage: { input_tokens: -1, output_tokens: -1, total_tokens: -2 } };
  const [input_tokens, output_tokens] = [new TokenCount().of(prompt), count * TOKENS_EACH];
  return { usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens } };
}

function shapeOf(size: unknown): [width: number, height: number] {
  const shape = /^(\d{2,4})x(\d{2,4})$/.exec(typeof size === "string" ? size : "1024x1024");
  if (shape === null) return [1024 / SHRINK, 1024 / SHRINK];
  return [Math.ceil(Number(shape[1]) / SHRINK), Math.ceil(Number(shape[2]) / SHRINK)];
}

/** Draws a pattern of squares, mirrored left to right. */
async function pictureOf(text: string, width: number, height: number): Promise<Buffer> {
  const hash = createHash("sha256").update(text).digest();
  const colour = (at: number): Colour => [hash[at]!, hash[at + 1]!, hash[at + 2]!];
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const down = Math.floor((row * CELLS) / height);
    for (let column = 0; column < width; column += 1) {
      const across = Math.floor((Math.min(column, width - 1 - column) * CELLS) / width);
      pixels[row * width + column] = (hash[(down * (CELLS / 2) + across) % hash.length]! >> 3) & 3;
    }
  }
  return pngOf(width, pixels, [[255, 255, 255], colour(0), colour(7), colour(14)]);
}
