import type { WholeAnswer } from "../dialect";
import { isBilledBlock, toldUses } from "../wire/billed-tools";
import { decoded, parseExactJson, parseJson } from "../wire/long-texts";
import { isObject } from "../wire/reading";
import { errorInside, notAnAnswer } from "../wire/whole-json";
import { readMessagesUsage } from "./usage";

export type WireMessage = {
  type?: unknown;
  id?: unknown;
  model?: unknown;
  content?: unknown;
  stop_reason?: unknown;
  stop_sequence?: unknown;
  usage?: unknown;
  error?: unknown;
};

export type WireBlock = {
  type?: unknown;
  text?: unknown;
  thinking?: unknown;
  signature?: unknown;
  data?: unknown;
  id?: unknown;
  name?: unknown;
  input?: unknown;
};

/** Understands a whole message. @throws SupplierFailure `protocol` for HTML, an empty body, an error in a 200. */
export function readMessagesAnswer(body: Buffer): WholeAnswer {
  const { blocks, message } = parseMessage(body);
  return {
    body,
    usage: readMessagesUsage(message.usage),
    toolUses: tellsUses(message.usage) ? 0 : blocks.filter(isBilledBlock).length,
    outputText: () => blocks.map(textOfBlock).join(""),
  };
}

/** Whether a usage says how often tools ran at the supplier; a search that failed is shown, and not counted there. */
export const tellsUses = (usage: unknown): boolean => isObject(usage) && toldUses(usage.server_tool_use) !== null;

/** A supplier's 200 as a message with its blocks. @throws SupplierFailure `protocol` */
export function parseMessage(
  body: Buffer,
  parse: (text: string) => unknown = parseJson,
): { message: WireMessage; blocks: readonly WireBlock[] } {
  let message: WireMessage | null;
  try {
    message = parse(decoded(body)) as WireMessage | null;
  } catch (cause) {
    throw notAnAnswer(
      body.length === 0 ? "the supplier sent an empty answer" : "the supplier's answer is not JSON",
      cause,
    );
  }
  if (typeof message !== "object" || message === null) throw notAnAnswer("the supplier's answer is not a message");
  if (message.type === "error" || message.error != null) throw errorInside(message.error ?? message);
  if (!Array.isArray(message.content)) throw notAnAnswer("the supplier's answer has no content");
  return { message, blocks: blocksOf(message) };
}

/** The same with the numbers of calls as the model wrote them. @throws SupplierFailure `protocol` */
export const parseExactMessage = (body: Buffer) => parseMessage(body, parseExactJson);

const blocksOf = ({ content }: WireMessage): readonly WireBlock[] =>
  (content as readonly unknown[]).filter((block): block is WireBlock => typeof block === "object" && block !== null);

/** Everything in a block that was generated, as one text. */
export function textOfBlock(block: WireBlock): string {
  if (typeof block.text === "string") return block.text;
  if (typeof block.thinking === "string") return block.thinking;
  if (block.type === "tool_use" || block.type === "server_tool_use") return nameOf(block) + inputText(block.input);
  return "";
}

/** A tool call's name; suppliers may send anything. */
export const nameOf = ({ name }: WireBlock): string => (typeof name === "string" ? name : "");

function inputText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {});
  } catch {
    // Nested too deeply to be written again.
    return "";
  }
}
