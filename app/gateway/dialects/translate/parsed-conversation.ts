import { randomUUID } from "node:crypto";
import { exactValue } from "~/http/body/json/exact-numbers";
import type { Conversation, Turn, UserPart } from "../../canonical/conversation";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ChatStreamEncoder } from "../chat/encode-stream";
import type { ChatSource } from "../chat/read";
import { readChatConversation } from "../chat/read-conversation";
import { writeChatAnswer } from "../chat/write-answer";
import { MessagesStreamEncoder } from "../messages/encode-stream";
import type { MessagesSource } from "../messages/read";
import { readMessagesConversation } from "../messages/read-conversation";
import { writeMessagesAnswer } from "../messages/write-answer";
import { ToolNames } from "../wire/identifiers";
import { refuseUncalledChat } from "../wire/uncalled-results";
import { asMessagesFailure } from "./failures";
import type { ClientConversation, ClientFormat } from "./formats";
import { MAX_NAME_LENGTH, namesIn } from "./shared";

/** The chat completions format of clients. */
export const chatClient: ClientFormat<ChatSource> = {
  field: "messages",
  parse: parsedConversation,
  fieldName: (name) => (name === "thinking" ? "reasoning_effort" : name),
  writer(inference, answer) {
    const { names } = parsedConversation(inference);
    const shown = { ...answer, id: chatId(answer.id), model: answer.model || inference.requestedModel };
    return (usage) => writeChatAnswer({ ...shown, usage }, names, nowSeconds());
  },
  openEncoder: (inference) =>
    new ChatStreamEncoder({
      names: parsedConversation(inference).names,
      wantsUsage: inference.source.wantsUsage,
      createdSeconds: nowSeconds(),
      idOf: chatId,
      modelOf: (model) => model || inference.requestedModel,
    }),
};

/** The messages format of clients. */
export const messagesClient: ClientFormat<MessagesSource> = {
  field: "messages",
  statesUsage: true,
  parse: parsedConversation,
  fieldName: (name) => MESSAGES_FIELDS[name] ?? name,
  translateError: asMessagesFailure,
  writer(inference, answer) {
    const { conversation, names } = parsedConversation(inference);
    const shown = { ...answer, id: messageId(answer.id), model: inference.requestedModel };
    return (usage) => writeMessagesAnswer({ ...shown, usage }, names, wantsThinking(conversation));
  },
  openEncoder(inference) {
    const { conversation, names } = parsedConversation(inference);
    const showThinking = wantsThinking(conversation);
    return new MessagesStreamEncoder({ names, showThinking, idOf: messageId, model: inference.requestedModel });
  },
};

/** Parsed requests. Each request is parsed once for all attempts. */
const parsed = new WeakMap<InferenceRequest, ClientConversation>();

/** Returns a chat or messages request as a conversation, with the tool names for suppliers; cached per request. */
export function parsedConversation(inference: InferenceRequest<ChatSource | MessagesSource>): ClientConversation {
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

type Slot = { turn: Turn; results: UserPart[] };

/** Moves tool results directly after the turn with their calls; other formats allow nothing between the two. */
function resultsBehindCalls(turns: readonly Turn[]): Turn[] {
  const slots: Slot[] = [];
  const callers = new Map<string, Slot>();
  for (const turn of turns) {
    const slot: Slot = { turn, results: [] };
    if (turn.role === "user") {
      const rest = turn.parts.filter((part) => {
        const caller = part.kind === "toolResult" ? callers.get(part.callId) : undefined;
        caller?.results.push(part);
        return caller === undefined;
      });
      if (rest.length < turn.parts.length && rest.length === 0) continue;
      slot.turn = { ...turn, parts: rest };
    } else for (const part of turn.parts) if (part.kind === "toolCall") callers.set(part.id, slot);
    slots.push(slot);
  }
  const ordered: Turn[] = [];
  for (const [at, { turn, results }] of slots.entries()) {
    // A user turn after results is merged into the turn of the results.
    const before = slots[at - 1]?.results ?? [];
    if (before.length > 0 && turn.role === "user")
      ordered[ordered.length - 1] = { ...turn, parts: [...before, ...turn.parts] };
    else ordered.push(turn);
    if (results.length > 0) ordered.push({ role: "user", parts: results });
  }
  return ordered;
}

const MESSAGES_FIELDS: Readonly<Record<string, string>> = {
  stop: "stop_sequences",
  user: "metadata.user_id",
  response_format: "output_config.format",
};

/** Whether the client requested thoughts. */
const wantsThinking = ({ reasoning }: Conversation): boolean => reasoning !== null && reasoning.kind !== "off";

const nowSeconds = () => Math.floor(Date.now() / 1000);

const chatId = (id: string) => prefixed("chatcmpl-", id);
const messageId = (id: string) => prefixed("msg_", id);

/** Returns an answer's id with the prefix of the client's dialect; it contains the supplier's id. */
function prefixed(prefix: string, id: string): string {
  const own = id === "" ? randomUUID() : id;
  return own.startsWith(prefix) ? own : prefix + own;
}
