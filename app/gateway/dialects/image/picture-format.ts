/** Accepted image formats by file extension, with their media types. */
export const PICTURE_FORMATS = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

export type PictureFormat = keyof typeof PICTURE_FORMATS;

/** Bytes at the start of a file that are enough to detect its format. */
export const PICTURE_HEAD_BYTES = 16;

/**
 * Detects the format from a file's content, because its name and declared type may be wrong. Null for other formats.
 */
export function pictureFormatOf(head: Buffer): PictureFormat | null {
  if (head.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (head.length > 3 && head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "jpg";
  const [container, kind] = [head.toString("latin1", 0, 4), head.toString("latin1", 8, 12)];
  return container === "RIFF" && kind === "WEBP" ? "webp" : null;
}
