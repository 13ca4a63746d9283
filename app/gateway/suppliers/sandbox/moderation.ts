import { type Answer, requestIn, type SandboxDialect, type SandboxRequest } from "./act";
import { bad } from "./chat-request";
import { chatError } from "./chat-wire";

/** The categories of moderation answers, each with the words that flag it in the sandbox. */
const CATEGORIES: readonly (readonly [name: string, words: RegExp])[] = [
  ["harassment", /\b(idiots?|morons?|insult(s|ed)?)\b/i],
  ["harassment/threatening", /\b(threaten(s|ed)?)\b/i],
  ["hate", /\b(hate|hatred)\b/i],
  ["hate/threatening", /\b(exterminate)\b/i],
  ["illicit", /\b(launder(ing)?|counterfeit)\b/i],
  ["illicit/violent", /\b(bombs?|explosives?)\b/i],
  ["self-harm", /\b(self-harm)\b/i],
  ["self-harm/intent", /\b(hurt myself)\b/i],
  ["self-harm/instructions", /\b(how to hurt myself)\b/i],
  ["sexual", /\b(explicit|pornograph\w*)\b/i],
  ["sexual/minors", /\b(child abuse)\b/i],
  ["violence", /\b(kill(s|ed|ing)?|murder(s|ed)?|attack(s|ed)?)\b/i],
  ["violence/graphic", /\b(gore|mutilat\w+)\b/i],
];

/** Maximum characters of a text that are checked. */
const MAX_CHARACTERS = 20_000;
const FLAGGED = 0.92;
const UNFLAGGED = 0.004;

/** Moderation by a short list of words, so that applications can test both verdicts. */
export const moderation: SandboxDialect = {
  answer: answerModeration,
  errorBody: chatError,
  errorEvent: chatError,
};

async function answerModeration(inference: SandboxRequest): Promise<Answer> {
  const { input } = (await requestIn(inference)) as { input?: unknown };
  const answer = { id: `modr-${inference.callId}`, model: inference.model, results: textsOf(input).map(verdictOf) };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(answer)) };
}

/** Returns one text per verdict; parts of one input are joined. */
function textsOf(input: unknown): string[] {
  if (typeof input === "string") return [input];
  if (!Array.isArray(input)) throw bad("input must be a text, a list of texts or a list of parts");
  if (input.every((each): each is string => typeof each === "string")) return input;
  return [input.map((part) => (part as { text?: unknown } | null)?.text ?? "").join(" ")];
}

function verdictOf(text: string) {
  const read = text.slice(0, MAX_CHARACTERS);
  const flags = CATEGORIES.map(([name, words]) => [name, words.test(read)] as const);
  return {
    flagged: flags.some(([, isFlagged]) => isFlagged),
    categories: Object.fromEntries(flags),
    category_scores: Object.fromEntries(flags.map(([name, isFlagged]) => [name, isFlagged ? FLAGGED : UNFLAGGED])),
    category_applied_input_types: Object.fromEntries(flags.map(([name]) => [name, ["text"]])),
  };
}
