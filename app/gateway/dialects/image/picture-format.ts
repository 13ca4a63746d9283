/** The formats of images that are taken, each with the media type and file name by which suppliers know it. */
export const PICTURE_FORMATS = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

export type PictureFormat = keyof typeof PICTURE_FORMATS;

/** How much of a file's beginning is enough to know it. */
export const PICTURE_HEAD_BYTES = 16;

/** What a file is by its content; its name and declared type are only claims. Null for everything else. */
export function pictureFormatOf(head: Buffer): PictureFormat | null {
  if (head.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (head.length > 3 && head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "jpg";
  const [container, kind] = [head.toString("latin1", 0, 4), head.toString("latin1", 8, 12)];
  return container === "RIFF" && kind === "WEBP" ? "webp" : null;
}
