/** The codings that answers are written in, best first. */
export const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** The best coding that an Accept-Encoding header takes; null: the bytes as they are. */
export function acceptedCoding(header: string | null): Coding | null {
  const weights = new Map<string, number>();
  for (const wish of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = wish.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const taken = CODINGS.filter((coding) => weightOf(coding) > 0);
  return taken.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? null;
}

const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

/** Whether compressing a media type is worth it. Event streams are not: each event has to leave at once. */
export const isCompressible = (mediaType: string | null): boolean => COMPRESSIBLE.test(mediaType ?? "");
