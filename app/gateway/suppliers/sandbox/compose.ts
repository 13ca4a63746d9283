import { digested, hashOf, pick } from "./chance";
import { tokensOf } from "./tokens";

/** Basis of an answer, independent of the dialect. */
export type Prompt = {
  /** The user's last message. */
  text: string;
  /** Tool results after it. */
  toolResults: readonly string[];
  /** Number of its images, sounds and files. */
  attachments: number;
  /** The client's `seed`; other seeds select other words. */
  seed: string;
  /** Maximum words of the answer; absent for the general maximum. */
  maxWords?: number;
};

const MAX_WORDS = 5_000;
const MAX_CHARACTERS_READ = 100_000;

/**
 * Returns the text of an answer, always the same for the same prompt and choice. A prompt that asks for "200 words"
 * gets 200 words; every other answer quotes the prompt.
 */
export function composeText(prompt: Prompt, choice = 0): string {
  if (prompt.toolResults.length > 0) return aboutTools(prompt.toolResults);
  const requested = /(?<!\d)(\d{1,6})[ -]words?\b/i.exec(prompt.text.slice(0, MAX_CHARACTERS_READ));
  if (requested) {
    const count = Math.min(Number(requested[1]), MAX_WORDS, prompt.maxWords ?? MAX_WORDS);
    return repeatedWords(count, digested(`${prompt.text}/${prompt.seed}/${choice}`));
  }
  return aboutText(prompt, choice);
}

function aboutText({ text, attachments, seed }: Prompt, choice: number): string {
  const quoted = clipped(text);
  const reply = quoted === "" ? "Hello from the sandbox." : `You said: “${quoted}”.`;
  const variant = seed === "" ? choice : hashOf(`${seed}/${choice}`);
  const closing = CLOSINGS[variant % CLOSINGS.length];
  const seen =
    attachments === 0 ? "" : ` It came with ${attachments} ${attachments === 1 ? "attachment" : "attachments"}.`;
  return `${reply}${seen} ${closing}`;
}

const CLOSINGS = [
  "No model was asked: the same request always gets this same answer.",
  "This answer is made from your request alone, and it never changes.",
  "The sandbox repeats what it hears, word for word, every time.",
  "Nothing here is guessed, so a test can rely on each character.",
];

function aboutTools(results: readonly string[]): string {
  const quoted = results.map((result) => `“${clipped(result)}”`).join(" and ");
  return results.length === 1 ? `The tool answered ${quoted}.` : `The tools answered ${quoted}.`;
}

const VOCABULARY = (
  "amber anchor apple arrow autumn basket beacon breeze bridge candle canyon cedar circle cloud copper coral dawn desert " +
  "ember falcon feather forest garden granite harbour harvest hollow island ivory jasmine lantern lemon marble meadow " +
  "mirror mountain north ocean olive orchard paper pebble pepper planet quartz quiet ribbon river saffron shadow silver " +
  "spring stone summer thunder timber valley velvet violet walnut willow window winter"
).split(" ");

function repeatedWords(count: number, seed: string): string {
  const words = Array.from({ length: count }, (_, index) => pick(VOCABULARY, `${seed}/${index}`));
  return `${words.join(" ")}.`;
}

const MAX_QUOTED_WORDS = 60;

function clipped(text: string): string {
  // Cut a long text before it is split.
  const words = text.slice(0, 4_000).trim().split(/\s+/);
  return words.length > MAX_QUOTED_WORDS ? `${words.slice(0, MAX_QUOTED_WORDS).join(" ")} …` : words.join(" ");
}

/** Cuts a text to a client's limits: before the first stop sequence, and to at most `maxTokens` tokens. */
export function limited(
  text: string,
  limits: { maxTokens: number | null; stops: readonly string[] },
): { text: string; tokens: string[]; stoppedBy: "end" | "stop" | "length"; stop: string | null } {
  let end = text.length;
  let stop: string | null = null;
  for (const sequence of limits.stops) {
    const at = sequence === "" ? -1 : text.indexOf(sequence);
    if (at < 0 || at >= end) continue;
    end = at;
    stop = sequence;
  }
  const shortened = text.slice(0, end);
  const tokens = tokensOf(shortened);
  if (limits.maxTokens === null || tokens.length <= limits.maxTokens) {
    return { text: shortened, tokens, stoppedBy: stop === null ? "end" : "stop", stop };
  }
  const fewer = tokens.slice(0, limits.maxTokens);
  return { text: fewer.join(""), tokens: fewer, stoppedBy: "length", stop: null };
}
