/** Floats as base64 of little-endian float32, as the chat SDKs decode it. */
export function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (let index = 0; index < vector.length; index += 1) bytes.writeFloatLE(vector[index]!, index * 4);
  return bytes.toString("base64");
}

/** The floats in base64 of little-endian float32; null when it is not such a text or not a number for every four bytes. */
export function fromBase64(text: string): number[] | null {
  const bytes = Buffer.from(text, "base64");
  // Node's decoder skips what is not base64: the length tells.
  if (bytes.length === 0 || bytes.length % 4 !== 0 || Math.ceil(bytes.length / 3) * 4 !== padded(text)) return null;
  const vector: number[] = new Array(bytes.length / 4);
  for (let index = 0; index < vector.length; index += 1) {
    const value = bytes.readFloatLE(index * 4);
    if (!Number.isFinite(value)) return null;
    vector[index] = value;
  }
  return vector;
}

/** The length that the text has with its padding, which may be left out. */
function padded(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.ceil((text.length - padding) / 4) * 4;
}
