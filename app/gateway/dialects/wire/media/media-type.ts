/** First bytes of the file types that models accept. */
const BEGINNINGS: readonly (readonly [RegExp, mediaType: string])[] = [
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^\x89PNG/, "image/png"],
  [/^GIF8/, "image/gif"],
  [/^RIFF.{4}WEBP/s, "image/webp"],
  [/^%PDF/, "application/pdf"],
];

/**
 * Returns the media type of a file from its first bytes, else the client's value. Clients guess the type from file
 * names, and some suppliers reject a mismatch.
 */
export function mediaTypeOf({ mediaType, data }: { mediaType: string; data: string }): string {
  const head = Buffer.from(data.slice(0, 24), "base64").toString("latin1");
  return (
    BEGINNINGS.find(([begins]) => begins.test(head))?.[1] ?? (mediaType === "image/jpg" ? "image/jpeg" : mediaType)
  );
}
