/**
 * Encodes the position where the next page of a list begins as an opaque text. Not a secret: reading the list is
 * authorised anyway.
 */
export function encodeCursor(list: string, id: bigint | number): string {
  return Buffer.from(`${list}:${id}`).toString("base64url");
}

/** Returns the id in a cursor that `encodeCursor` wrote for the same list, up to `maximum`; null for anything else. */
export function decodeCursor(list: string, text: string, maximum: bigint): bigint | null {
  const [, id] = new RegExp(`^${list}:(\\d{1,19})$`).exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (id === undefined || BigInt(id) > maximum || encodeCursor(list, BigInt(id)) !== text) return null;
  return BigInt(id);
}
