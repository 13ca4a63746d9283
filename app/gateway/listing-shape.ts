import { isMessagesClient } from "./key-endpoint";

/**
 * Shape of the list of models: the specification's array, the list object of chat clients, the same with the fields
 * that Mistral's SDKs require, or the page of messages clients.
 */
export type ListingShape = "array" | "list" | "cards" | "page";

/** The request headers that identify the client, by lower-case names. */
type Told = Pick<Headers, "get" | "has">;

/**
 * Plain tools, matched at the start of their User-Agent. They print the response as it is, so they get the
 * specification's array. Libraries and applications have names of their own.
 */
const PLAIN_TOOLS = /^(?:curl|wget2?|node|undici|deno|bun|python-urllib|httpie|xh)(?:\/|$)/i;

/** Default User-Agents of Mistral's SDKs, current and earlier releases. They reject an entry without a `type`. */
const MISTRAL = /^mistral-client-|^speakeasy-sdk\/.*\bmistralai\b/;

type Rule = { shape: ListingShape; when: (request: { headers: Told; object: string | null }) => boolean };

/** The shape for each client: the first matching rule applies. */
const RULES: readonly Rule[] = [
  { shape: "array", when: ({ object }) => object === "array" },
  { shape: "list", when: ({ object }) => object === "list" },
  { shape: "page", when: ({ headers }) => isMessagesClient({ headers }) },
  { shape: "cards", when: ({ headers }) => MISTRAL.test(headers.get("user-agent") ?? "") },
  // The official chat SDKs send their language in this header.
  { shape: "list", when: ({ headers }) => headers.has("x-stainless-lang") },
  // A client that names a media type parses the answer and accepts the list object.
  { shape: "list", when: ({ headers }) => (headers.get("accept") ?? "*/*") !== "*/*" },
  { shape: "array", when: ({ headers }) => PLAIN_TOOLS.test(headers.get("user-agent") ?? "") },
  // Neither header: a hand-written socket client. Libraries that hide their name still send Accept.
  { shape: "array", when: ({ headers }) => !headers.has("user-agent") && !headers.has("accept") },
  { shape: "list", when: () => true },
];

/** Returns the shape of the list of models for a request with these headers. `object` is the query parameter. */
export function listingShapeOf(headers: Told, object: string | null): ListingShape {
  return RULES.find(({ when }) => when({ headers, object }))?.shape ?? "list";
}
