import Negotiator from "negotiator";

/** Content codings of responses, best first. */
const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * Maximum length of an Accept-Encoding header, above that of every client. A longer one gets an uncompressed response.
 */
const MAX_HEADER_LENGTH = 500;

/**
 * Returns the best coding that an Accept-Encoding header accepts; between equal ones, gw's own order decides. Null:
 * none.
 */
export function acceptedCoding(header: string | null): Coding | null {
  if (header === null || header.length > MAX_HEADER_LENGTH) return null;
  const client = new Negotiator({ headers: { "accept-encoding": header } });
  // The package's types omit its second parameter.
  const choose: (codings: Coding[], options: { preferred: Coding[] }) => string | undefined =
    client.encoding.bind(client);
  return CODINGS.find((coding) => coding === choose([...CODINGS], { preferred: [...CODINGS] })) ?? null;
}

const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

/** Whether a media type is worth compressing. Event streams are not: each event must be sent at once. */
export const isCompressible = (mediaType: string | null): boolean => COMPRESSIBLE.test(mediaType ?? "");
