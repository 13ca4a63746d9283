/** What an image costs in tokens at the size that suppliers scale it to. */
export const IMAGE_TOKENS = 1_500;

/** How many bytes of a PDF go into a token, text and picture of its pages together. */
const PDF_BYTES_PER_TOKEN = 25;
/** … and of speech, as it is usually compressed. */
const SOUND_BYTES_PER_TOKEN = 1_600;

/** About how many tokens a document has, by its base64. */
export const documentTokens = (base64: string): number =>
  Math.max(IMAGE_TOKENS, Math.ceil(bytesOf(base64) / PDF_BYTES_PER_TOKEN));

/** About how many tokens a sound has, by its base64. */
export const soundTokens = (base64: string): number => Math.ceil(bytesOf(base64) / SOUND_BYTES_PER_TOKEN);

const bytesOf = (base64: string) => base64.length * 0.75;
