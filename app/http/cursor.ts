/** The place in a list where the next page begins, as an opaque text. It holds no secret: the list itself is guarded. */
export function encodeCursor(list: string, id: bigint | number): string {
  return Buffer.from(`${list}:${id}`).toString("base64url");
}

/** What `encodeCursor` has written for the same list, at most `most`; null for anything else. */
export function decodeCursor(list: string, text: string, maximum: bigint): bigint | null {
  const [, id] = new RegExp(`^${list}:(\\d{1,19})$`).exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (id === undefined || BigInt(id) > maximum || encodeCursor(list, BigInt(id)) !== text) return null;
  return BigInt(id);
}
