import { randomUUID } from "node:crypto";
import { exactValue } from "~/http/exact-numbers";
import type { Conversation, Turn } from "../../canonical/conversation";
import type { InferenceRequest } from "../../canonical/inference-request";
import type { ChatSource } from "../chat/read";
import { readChatConversation } from "../chat/read-conversation";
import type { MessagesSource } from "../messages/read";
import { readMessagesConversation } from "../messages/read-conversation";
import { ToolNames } from "../wire/identifiers";
import { refuseUncalledChat } from "../wire/uncalled-results";
import { MAX_NAME_LENGTH, namesIn } from "./shared";

type ParsedConversation = { conversation: Conversation; names: ToolNames };

/** Each request is understood once, however many suppliers are tried. */
const parsed = new WeakMap<InferenceRequest, ParsedConversation>();

/** What a chat or messages request says, with its tools' names made fit for suppliers. */
export function parsedConversation(inference: InferenceRequest): ParsedConversation {
  let known = parsed.get(inference);
  if (known === undefined) {
    const read =
      inference.dialect === "chat"
        ? readChat(exactBody(inference.source as ChatSource))
        : readMessagesConversation(exactBody(inference.source as MessagesSource));
    const conversation = { ...read, turns: resultsBehindCalls(read.turns) };
    known = { conversation, names: new ToolNames(namesIn(conversation), MAX_NAME_LENGTH) };
    parsed.set(inference, known);
  }
  return known;
}

const exactBody = <Body>({ body, text }: { body: Body; text: string }): Body => exactValue(body, text);

function readChat(body: ChatSource["body"]): Conversation {
  const conversation = readChatConversation(body);
  refuseUncalledChat(body);
  return conversation;
}

/** System text between a call and its results stands behind the results: no other format has anything between the two. */
function resultsBehindCalls(turns: readonly Turn[]): Turn[] {
  const ordered: Turn[] = [];
  let waiting: Turn[] = [];
  for (const turn of turns) {
    if (turn.role === "system" && ordered.at(-1)?.parts.some(isExchange) === true) {
      waiting.push(turn);
      continue;
    }
    if (!turn.parts.some(({ kind }) => kind === "toolResult")) {
      ordered.push(...waiting);
      waiting = [];
    }
    ordered.push(turn);
  }
  return [...ordered, ...waiting];
}

const isExchange = ({ kind }: Turn["parts"][number]) => kind === "toolCall" || kind === "toolResult";

/** A field that was left out, by the name that a messages client has for it. */
export const asMessagesField = (name: string): string => MESSAGES_FIELDS[name] ?? name;

const MESSAGES_FIELDS: Readonly<Record<string, string>> = { stop: "stop_sequences", user: "metadata.user_id" };

/** Whether a client asked to see thoughts. */
export const wantsThinking = ({ reasoning }: Conversation): boolean => reasoning !== null && reasoning.kind !== "off";

export const nowSeconds = () => Math.floor(Date.now() / 1000);

export const chatId = (id: string) => prefixed("chatcmpl-", id);
export const messageId = (id: string) => prefixed("msg_", id);

/** An answer's id as the client's dialect writes it, still showing the supplier's own. */
function prefixed(prefix: string, id: string): string {
  const own = id === "" ? randomUUID() : id;
  return own.startsWith(prefix) ? own : prefix + own;
}
