import { randomUUID } from "node:crypto";
import type { Conversation } from "../../canonical/conversation";
import type { InferenceRequest } from "../../canonical/inference-request";
import type { ChatSource } from "../chat/read";
import { readChatConversation } from "../chat/read-conversation";
import type { MessagesSource } from "../messages/read";
import { readMessagesConversation } from "../messages/read-conversation";
import { ToolNames } from "../wire/identifiers";
import { MAX_NAME_LENGTH, namesIn } from "./shared";

type ParsedConversation = { conversation: Conversation; names: ToolNames };

/** Each request is understood once, however many suppliers are tried. */
const parsed = new WeakMap<InferenceRequest, ParsedConversation>();

/** What a chat or messages request says, with its tools' names made fit for suppliers. */
export function parsedConversation(inference: InferenceRequest): ParsedConversation {
  let known = parsed.get(inference);
  if (known === undefined) {
    const conversation =
      inference.dialect === "chat"
        ? readChatConversation((inference.source as ChatSource).body)
        : readMessagesConversation((inference.source as MessagesSource).body);
    known = { conversation, names: new ToolNames(namesIn(conversation), MAX_NAME_LENGTH) };
    parsed.set(inference, known);
  }
  return known;
}

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
