import { profileOf } from "~/domain/catalogue/profiles";
import type { TranslatedName, WireName } from "../../canonical/exchange";
import { chatFormat } from "../chat/format";
import { cohere } from "../cohere";
import { converse } from "../converse";
import type { Translator } from "../dialect";
import { gemini } from "../gemini";
import { messagesFormat } from "../messages/format";
import type { MessagesSource } from "../messages/read";
import { responsesFormat } from "../responses-format";
import type { SupplierFormat } from "../wire/supplier-format";
import { completionsClient, completionsToChat } from "./completions";
import { type ClientFormat, translatorBetween } from "./formats";
import { chatClient, messagesClient, parsedConversation } from "./parsed-conversation";
import { responsesClient } from "./responses";

/** Omitted thinking effort keeps the name `thinking` between these two. */
export const chatToMessages = translatorBetween({ ...chatClient, fieldName: (name) => name }, messagesFormat);

/**
 * A messages request without `thinking` means no thoughts, and its answer shows none. A chat-style model that requires
 * its thoughts back must therefore not think in this case.
 */
const withoutUnaskedThoughts: ClientFormat<MessagesSource>["parse"] = (inference, route) => {
  const asked = parsedConversation(inference);
  if (route === undefined || asked.conversation.reasoning !== null) return asked;
  const { thinking, reasoning } = profileOf(route);
  if (!thinking.byDefault || !thinking.canStop || reasoning.back !== "required") return asked;
  return { ...asked, conversation: { ...asked.conversation, reasoning: { kind: "off" } } };
};

export const messagesToChat = translatorBetween({ ...messagesClient, parse: withoutUnaskedThoughts }, chatFormat);

const CLIENTS: Readonly<Record<TranslatedName, ClientFormat<unknown>>> = {
  chat: chatClient,
  completions: completionsClient,
  messages: messagesClient,
  responses: responsesClient,
};

const FORMATS = {
  chat: chatFormat,
  messages: messagesFormat,
  responses: responsesFormat,
  cohere,
  converse,
  gemini,
} satisfies Partial<Record<WireName, SupplierFormat>>;

/** Translators between every client format and every other format of suppliers. */
export const TRANSLATIONS: Readonly<Record<string, Translator>> = {
  ...Object.fromEntries(
    Object.entries(CLIENTS).flatMap(([name, client]) =>
      Object.entries(FORMATS)
        .filter(([wire]) => wire !== name)
        .map(([wire, format]) => [`${name} to ${wire}`, translatorBetween(client, format)]),
    ),
  ),
  "chat to messages": chatToMessages,
  "messages to chat": messagesToChat,
  "completions to chat": completionsToChat,
};
