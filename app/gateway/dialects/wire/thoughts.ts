/** The names under which chat-style suppliers give a model's thoughts. */
const FIELDS = ["reasoning_content", "reasoning"] as const;

/**
 * Thoughts of a chat-style supplier are given to messages clients with this seal. It says under which name they came,
 * and that they may go back to such a supplier; suppliers that seal their own thoughts would refuse it.
 */
const SEAL = "gw:";

/** The seal of thoughts that came under no name of a chat-style supplier, and may go back as the usual one. */
export const PLAIN_SEAL = `${SEAL}${FIELDS[0]}`;

/** A thought in a message or delta with its seal; null when there is none. */
export function thoughtOf(message: Readonly<Record<string, unknown>>): { text: string; seal: string } | null {
  for (const field of FIELDS) {
    const text = message[field];
    if (typeof text === "string" && text !== "") return { text, seal: SEAL + field };
  }
  return null;
}

/** The field in which a sealed thought goes back; null for the thoughts of other suppliers. */
export function thoughtField(seal: string | null): string | null {
  return FIELDS.find((field) => seal === SEAL + field) ?? null;
}

/** Gemini's own seals are given with this in front: they may go back to Gemini, and to nobody else. */
const GEMINI = `${SEAL}gemini:`;

export const geminiSeal = (signature: unknown): string | null =>
  typeof signature === "string" && signature !== "" ? GEMINI + signature : null;

/** Gemini's own signature of a sealed thought; null for the thoughts of others. */
export const geminiSignature = (seal: unknown): string | null =>
  typeof seal === "string" && seal.startsWith(GEMINI) ? seal.slice(GEMINI.length) : null;

/** Whether gw has brought a thought from a supplier of another format than the messages dialect. */
export const isSealedByGw = (seal: unknown): boolean => typeof seal === "string" && seal.startsWith(SEAL);

/** Whether a text may hold such a thought; exact only for those that it denies. */
export const mayHoldSealedThought = (text: string): boolean => text.includes(`"${SEAL}`);
