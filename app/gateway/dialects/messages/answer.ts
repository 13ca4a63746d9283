import { isErrorObject } from "../../canonical/reported-error";
import type { WholeAnswer } from "../dialect";
import { isBilledBlock, reportedUses } from "../wire/billed-tools";
import { isObject } from "../wire/events/reading";
import { errorInside, notAnAnswer } from "../wire/events/whole-json";
import { decoded, parseExactJson, parseJson } from "../wire/long-texts";
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

/** Reads a whole message. @throws SupplierFailure `protocol` for HTML, an empty body, an error in a 200. */
export function readMessagesAnswer(body: Buffer): WholeAnswer {
  const { blocks, message } = parseMessage(body);
  return {
    body,
    usage: readMessagesUsage(message.usage),
    toolUses: tellsUses(message.usage) ? 0 : blocks.filter(isBilledBlock).length,
    outputText: () => blocks.map(textOfBlock).join(""),
  };
}

/** Whether a usage counts the supplier's tool uses. It omits failed searches, which appear as blocks of the answer. */
export const tellsUses = (usage: unknown): boolean => isObject(usage) && reportedUses(usage.server_tool_use) !== null;

/** Parses a supplier's 200 as a message with its blocks. @throws SupplierFailure `protocol` */
function parseMessage(
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
  if (isErrorObject(message, "content")) throw errorInside(message);
  if (!Array.isArray(message.content)) throw notAnAnswer("the supplier's answer has no content");
  return { message, blocks: blocksOf(message) };
}

/** Same, with the digits of numbers in tool calls as the model wrote them. @throws SupplierFailure `protocol` */
export const parseExactMessage = (body: Buffer) => parseMessage(body, parseExactJson);

const blocksOf = ({ content }: WireMessage): readonly WireBlock[] =>
  (content as readonly unknown[]).filter((block): block is WireBlock => typeof block === "object" && block !== null);

/** Returns all generated content of a block as one text. */
export function textOfBlock(block: WireBlock): string {
  if (typeof block.text === "string") return block.text;
  if (typeof block.thinking === "string") return block.thinking;
  if (block.type === "tool_use" || block.type === "server_tool_use") return nameOf(block) + inputText(block.input);
  return "";
}

/** Returns a tool call's name; "" if the supplier sent none or no string. */
export const nameOf = ({ name }: WireBlock): string => (typeof name === "string" ? name : "");

function inputText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {});
  } catch {
    // Nested too deeply to be serialised.
    return "";
  }
}
