/** Tokens per image at the size to which suppliers scale it. */
export const IMAGE_TOKENS = 1_500;

/** Bytes of a PDF per token; its text and the pictures of its pages together. */
const PDF_BYTES_PER_TOKEN = 25;
/** Bytes of speech per token, at the usual compression. */
const SOUND_BYTES_PER_TOKEN = 1_600;

/** Estimates the tokens of a document from its base64. */
export const documentTokens = (base64: string): number =>
  Math.max(IMAGE_TOKENS, Math.ceil(bytesOf(base64) / PDF_BYTES_PER_TOKEN));

/** Estimates the tokens of a sound from its base64. */
export const soundTokens = (base64: string): number => Math.ceil(bytesOf(base64) / SOUND_BYTES_PER_TOKEN);

const bytesOf = (base64: string) => base64.length * 0.75;
