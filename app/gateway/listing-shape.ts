import { isMessagesClient } from "./key-endpoint";

/**
 * How the models are told: the array of the specification, the list object of chat clients, the same with what Mistral's SDKs require of
 * each model, or the page of messages clients.
 */
export type ListingShape = "array" | "list" | "cards" | "page";

/** The headers of a request that tell whose it is, by lower-case names. */
type Told = Pick<Headers, "get" | "has">;

/**
 * Plain tools by the beginning of their User-Agent. They ask for nothing in particular and show what comes: what a person reads in
 * the specification. Libraries and applications have names of their own.
 */
const PLAIN_TOOLS = /^(?:curl|wget2?|node|undici|deno|bun|python-urllib|httpie|xh)(?:\/|$)/i;

/** Mistral's SDKs, as they name themselves by default, and as releases before did. They take no entry without a `type`. */
const MISTRAL = /^mistral-client-|^speakeasy-sdk\/.*\bmistralai\b/;

type Rule = { shape: ListingShape; when: (asked: { headers: Told; object: string | null }) => boolean };

/** Who gets what: the first rule that fits decides. */
const RULES: readonly Rule[] = [
  { shape: "array", when: ({ object }) => object === "array" },
  { shape: "list", when: ({ object }) => object === "list" },
  { shape: "page", when: ({ headers }) => isMessagesClient({ headers }) },
  { shape: "cards", when: ({ headers }) => MISTRAL.test(headers.get("user-agent") ?? "") },
  // The official chat SDKs say with it in which language they are written.
  { shape: "list", when: ({ headers }) => headers.has("x-stainless-lang") },
  // Whoever names a media type reads an answer, and knows the list object.
  { shape: "list", when: ({ headers }) => (headers.get("accept") ?? "*/*") !== "*/*" },
  { shape: "array", when: ({ headers }) => PLAIN_TOOLS.test(headers.get("user-agent") ?? "") },
  // Not a word about itself: a socket that somebody has written on. Libraries that keep their name to themselves send Accept.
  { shape: "array", when: ({ headers }) => !headers.has("user-agent") && !headers.has("accept") },
  { shape: "list", when: () => true },
];

/** The shape in which the models are told to whom sends such a request. `object`: the query's. */
export function listingShapeOf(headers: Told, object: string | null): ListingShape {
  return RULES.find(({ when }) => when({ headers, object }))?.shape ?? "list";
}
