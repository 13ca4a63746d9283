import type { ModelProfile } from "~/domain/catalogue/profiles";
import { exactJson } from "~/http/exact-numbers";
import { isObject, type JsonObject } from "./reading";

/** The wire formats in which a supplier can be given a model's earlier thoughts. */
export type ThoughtWire = "messages" | "converse" | "gemini" | "chat" | "responses";

/** Thoughts that no supplier of the messages format has sealed carry this in front of their seal. */
const SEAL = "gw:";

/** The names under which chat-style suppliers give a model's thoughts. */
export const THOUGHT_FIELDS = ["reasoning_content", "reasoning"] as const;

/** For a model that refuses its own messages without thoughts, where another one spoke. An empty text is refused as well. */
export const NO_THOUGHT = "(not recorded)";

/** The seal of thoughts that came under no name of a chat-style supplier, and may go back as the usual one. */
export const PLAIN_SEAL = `${SEAL}${THOUGHT_FIELDS[0]}`;

/** The seal of thoughts that came without one where a client's format requires one. */
export const NO_SEAL = `${SEAL}none`;

/**
 * Where thoughts go back to, by who sealed them: elsewhere they are refused or mean nothing. `begins`: of the seal; the longest
 * one counts.
 */
const SEALS: readonly { begins: string; goesTo: readonly ThoughtWire[] }[] = [
  ...THOUGHT_FIELDS.map((field) => ({ begins: SEAL + field, goesTo: ["chat" as const] })),
  { begins: `${SEAL}gemini:`, goesTo: ["gemini", "chat"] },
  { begins: `${SEAL}responses:`, goesTo: ["responses"] },
  { begins: `${SEAL}details:`, goesTo: ["chat"] },
  // Others of gw's own: NO_SEAL, and those of later releases.
  { begins: SEAL, goesTo: [] },
  // A supplier's own signature, which holds on every platform that serves its models.
  { begins: "", goesTo: ["messages", "converse"] },
];

/** Whether a thought with this seal may be sent in a format. Without a seal it may not. */
export function mayGoTo(wire: ThoughtWire, seal: unknown): seal is string {
  if (typeof seal !== "string" || seal === "") return false;
  return SEALS.find(({ begins }) => seal.startsWith(begins))!.goesTo.includes(wire);
}

/** A thought in a message or delta with its seal; null when there is none. */
export function thoughtOf(message: Readonly<Record<string, unknown>>): { text: string; seal: string } | null {
  for (const field of THOUGHT_FIELDS) {
    const text = message[field];
    if (typeof text === "string" && text !== "") return { text, seal: SEAL + field };
  }
  return null;
}

/** The field in which a sealed thought goes back; null for the thoughts of other suppliers. */
export function thoughtField(seal: string | null): string | null {
  if (detailsJson(seal) !== null) return "reasoning";
  return THOUGHT_FIELDS.find((field) => seal === SEAL + field) ?? null;
}

const sealIn = (begins: string) => ({
  seal: (own: unknown): string | null => (typeof own === "string" && own !== "" ? begins + own : null),
  open: (seal: unknown): string | null =>
    typeof seal === "string" && seal.startsWith(begins) ? seal.slice(begins.length) : null,
});

/** Gemini's own signatures, as gw hands them out and back. */
export const { seal: geminiSeal, open: geminiSignature } = sealIn(`${SEAL}gemini:`);

/** A call with the signature that its model wants, or with the placeholder where none is known. */
export const signedCall = (
  call: JsonObject,
  { path, placeholder }: CallSignature,
  signature: string | null,
): JsonObject => ({
  ...call,
  ...(path.reduceRight<JsonObject | string>(
    (inner, member) => ({ [member]: inner }),
    signature ?? placeholder,
  ) as JsonObject),
});
type CallSignature = NonNullable<ModelProfile["callSignature"]>;

/** Gemini's signature of a call of the chat dialect, sealed; null where it has none. */
export function sealOfCall({ extra_content }: JsonObject): string | null {
  const google = isObject(extra_content) ? extra_content.google : null;
  return isObject(google) ? geminiSeal(google.thought_signature) : null;
}

/** Thoughts that a supplier of the responses format has encrypted, as gw hands them out and back. */
export const { seal: responsesSeal, open: responsesContent } = sealIn(`${SEAL}responses:`);

const { seal: sealDetails, open: detailsJson } = sealIn(`${SEAL}details:`);

/**
 * The seal of a thought whose supplier has told it in a list of details: all of them, to go back as they came. The thought's own
 * text stands in the thought.
 */
export function detailsSeal(details: readonly unknown[], thought: string): string | null {
  if (details.length === 0) return null;
  const rest = details.map((detail) => {
    if (!isObject(detail) || thought === "" || detail.text !== thought) return detail;
    return { ...detail, text: THE_THOUGHT };
  });
  return sealDetails(exactJson(JSON.stringify(rest)));
}

/** The details of a thought with such a seal; empty for others. */
export function detailsOf(seal: string | null, thought: string): unknown[] {
  const json = detailsJson(seal);
  if (json === null) return [];
  let details: unknown;
  try {
    details = JSON.parse(json);
  } catch {
    // The client has cut it.
  }
  if (!Array.isArray(details)) return [];
  return details.map((detail) =>
    isObject(detail) && detail.text === THE_THOUGHT ? { ...detail, text: thought } : detail,
  );
}

const THE_THOUGHT = 0;
