import Negotiator from "negotiator";

/** The codings that answers are written in, best first. */
const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** Longer than any client's: a stranger who writes more gets the bytes as they are. */
const MAX_HEADER_LENGTH = 500;

/** The best coding that an Accept-Encoding header takes, ours first among equals; null: the bytes as they are. */
export function acceptedCoding(header: string | null): Coding | null {
  if (header === null || header.length > MAX_HEADER_LENGTH) return null;
  const client = new Negotiator({ headers: { "accept-encoding": header } });
  // The package's types leave its second parameter out.
  const choose: (codings: Coding[], options: { preferred: Coding[] }) => string | undefined =
    client.encoding.bind(client);
  return CODINGS.find((coding) => coding === choose([...CODINGS], { preferred: [...CODINGS] })) ?? null;
}

const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

/** Whether compressing a media type is worth it. Event streams are not: each event has to leave at once. */
export const isCompressible = (mediaType: string | null): boolean => COMPRESSIBLE.test(mediaType ?? "");
