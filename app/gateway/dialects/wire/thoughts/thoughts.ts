import type { ModelProfile } from "~/domain/catalogue/profiles";
import { exactJson } from "~/http/body/json/exact-numbers";
import { isObject, type JsonObject } from "../events/reading";

/**
 * Wire formats that can send a model's earlier thoughts to a supplier. `claude` is the messages format of the vendor
 * that verifies signatures; other vendors use the same format with their own signatures.
 */
export type ThoughtWire = "messages" | "claude" | "converse" | "gemini" | "chat" | "responses";

/** Returns the variant of the messages format that a model's vendor uses. */
export const messagesWire = ({ foreignSeals }: Pick<ModelProfile, "foreignSeals">): "messages" | "claude" =>
  foreignSeals === "refused" ? "claude" : "messages";

/** Prefix of gw's own seals: for thoughts that were not signed by a supplier of the messages format. */
const SEAL = "gw:";

/** Field names of a model's thoughts in the answers of chat-style suppliers. */
export const THOUGHT_FIELDS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"] as const;

/**
 * Placeholder for models that reject earlier assistant messages without thoughts, if another model wrote the message.
 * They reject an empty text as well.
 */
export const NO_THOUGHT = "(not recorded)";

/** Seal of thoughts that had no field name of a chat-style supplier. They are sent back in the most common field. */
export const PLAIN_SEAL = `${SEAL}${THOUGHT_FIELDS[0]}`;

/** Seal of unsigned thoughts, for client formats that require a seal. */
export const NO_SEAL = `${SEAL}none`;

/**
 * Formats in which thoughts may be sent back, by the prefix (`begins`) of their seal; the longest matching prefix
 * applies. Other formats reject or ignore them.
 */
const SEALS: readonly { begins: string; goesTo: readonly ThoughtWire[] }[] = [
  ...THOUGHT_FIELDS.map((field) => ({ begins: SEAL + field, goesTo: ["chat" as const] })),
  { begins: `${SEAL}gemini:`, goesTo: ["gemini", "chat"] },
  { begins: `${SEAL}responses:`, goesTo: ["responses"] },
  { begins: `${SEAL}details:`, goesTo: ["chat"] },
  // gw's other seals: NO_SEAL, and seals of later releases.
  { begins: SEAL, goesTo: [] },
  // A supplier's own signature, which is valid on every platform that serves its models.
  { begins: "", goesTo: ["messages", "claude", "converse"] },
];

/** Signatures of other vendors of the messages format, and of proxies for other models: a UUID, a hash or a token. */
const NOT_OF_CLAUDE = [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, /^(?:[0-9a-f]{2}){16,}$/i, /^gAAAA/];

/** Whether a thought with this seal may be sent in a format. Thoughts without a seal may not. */
export function mayGoTo(wire: ThoughtWire, seal: unknown): seal is string {
  if (typeof seal !== "string" || seal === "") return false;
  if ((wire === "claude" || wire === "converse") && NOT_OF_CLAUDE.some((shape) => shape.test(seal))) return false;
  return SEALS.find(({ begins }) => seal.startsWith(begins))!.goesTo.includes(wire);
}

/** Returns the thought in a message or delta with its seal; null if there is none. */
export function thoughtOf(message: Readonly<Record<string, unknown>>): { text: string; seal: string } | null {
  for (const field of THOUGHT_FIELDS) {
    const text = message[field];
    if (typeof text === "string" && text !== "") return { text, seal: SEAL + field };
  }
  return null;
}

/** Returns the field in which a sealed thought is sent back; null for thoughts of other suppliers. */
export function thoughtField(seal: string | null): string | null {
  if (detailsJson(seal) !== null) return "reasoning";
  return THOUGHT_FIELDS.find((field) => seal === SEAL + field) ?? null;
}

const sealIn = (begins: string) => ({
  seal: (own: unknown): string | null => (typeof own === "string" && own !== "" ? begins + own : null),
  open: (seal: unknown): string | null =>
    typeof seal === "string" && seal.startsWith(begins) ? seal.slice(begins.length) : null,
});

/** Gemini's signatures: wrapped in gw's seal for the client, and unwrapped when the client sends them back. */
export const { seal: geminiSeal, open: geminiSignature } = sealIn(`${SEAL}gemini:`);

/** Returns a tool call with the signature that its model requires, or with the placeholder if none is known. */
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

/** Returns the seal with Gemini's signature of a tool call of the chat dialect; null if it has no signature. */
export function sealOfCall({ extra_content }: JsonObject): string | null {
  const google = isObject(extra_content) ? extra_content.google : null;
  return isObject(google) ? geminiSeal(google.thought_signature) : null;
}

/** Encrypted thoughts of the responses format, wrapped in gw's seal for the client and unwrapped afterwards. */
export const { seal: responsesSeal, open: responsesContent } = sealIn(`${SEAL}responses:`);

const { seal: sealDetails, open: detailsJson } = sealIn(`${SEAL}details:`);

/**
 * Returns the seal of a thought that its supplier sent as a list of details. It contains all details, so that they can
 * be sent back unchanged, except for the text of the thought itself.
 */
export function detailsSeal(details: readonly unknown[], thought: string): string | null {
  if (details.length === 0) return null;
  const rest = details.map((detail) => {
    if (!isObject(detail) || thought === "" || detail.text !== thought) return detail;
    return { ...detail, text: THE_THOUGHT };
  });
  return sealDetails(exactJson(JSON.stringify(rest)));
}

/** Returns the details in a seal of `detailsSeal`; empty for other seals. */
export function detailsOf(seal: string | null, thought: string): unknown[] {
  const json = detailsJson(seal);
  if (json === null) return [];
  let details: unknown;
  try {
    details = JSON.parse(json);
  } catch {
    // The client truncated the seal.
  }
  if (!Array.isArray(details)) return [];
  return details.map((detail) =>
    isObject(detail) && detail.text === THE_THOUGHT ? { ...detail, text: thought } : detail,
  );
}

const THE_THOUGHT = 0;
