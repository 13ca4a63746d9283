/** Encodes floats as base64 of little-endian float32, which the chat SDKs decode. */
export function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (let index = 0; index < vector.length; index += 1) bytes.writeFloatLE(vector[index]!, index * 4);
  return bytes.toString("base64");
}

/** Decodes base64 of little-endian float32; null if the text is not base64 or contains a value that is not finite. */
export function fromBase64(text: string): number[] | null {
  const bytes = Buffer.from(text, "base64");
  // Node's decoder skips invalid characters; a shorter result reveals them.
  if (bytes.length === 0 || bytes.length % 4 !== 0 || Math.ceil(bytes.length / 3) * 4 !== padded(text)) return null;
  const vector: number[] = new Array(bytes.length / 4);
  for (let index = 0; index < vector.length; index += 1) {
    const value = bytes.readFloatLE(index * 4);
    if (!Number.isFinite(value)) return null;
    vector[index] = value;
  }
  return vector;
}

/** Returns the length of the text with its padding, which may be missing. */
function padded(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.ceil((text.length - padding) / 4) * 4;
}
