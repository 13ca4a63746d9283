/**
 * Output tokens of one image by quality, as [square, portrait, landscape]: OpenAI's guide to image generation, "Cost and
 * latency", https://platform.openai.com/docs/guides/image-generation.
 */
const TOKENS: Readonly<Record<string, readonly [square: number, portrait: number, landscape: number]>> = {
  low: [272, 408, 400],
  medium: [1_056, 1_584, 1_568],
  high: [4_160, 6_240, 6_208],
};

/**
 * Returns the output tokens of one image, for the hold and for suppliers that bill images by tokens but report none. A
 * value that the supplier chooses (`auto`, or one unknown to gw) counts as the maximum.
 */
export function outputTokensOf({ quality, size }: Readonly<Record<string, unknown>>): number {
  const ofQuality = typeof quality === "string" && Object.hasOwn(TOKENS, quality) ? TOKENS[quality]! : TOKENS.high!;
  const shape = /^(\d{1,5})x(\d{1,5})$/.exec(typeof size === "string" ? size : "");
  if (shape === null) return Math.max(...ofQuality);
  const [width, height] = [Number(shape[1]), Number(shape[2])];
  return ofQuality[width === height ? 0 : width < height ? 1 : 2];
}
