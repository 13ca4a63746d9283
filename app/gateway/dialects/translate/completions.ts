import { randomUUID } from "node:crypto";
import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { Conversation } from "../../canonical/conversation";
import type { InferenceRequest } from "../../canonical/inference-request";
import { chatFormat } from "../chat/format";
import { type CompletionsSource, readCompletionsConversation } from "../completions/read";
import { type CompletionFrame, CompletionStreamEncoder, writeCompletion } from "../completions/write";
import { ToolNames } from "../wire/identifiers";
import { takesField } from "../wire/tuning";
import { type ClientFormat, translatorBetween } from "./formats";
import { MAX_NAME_LENGTH } from "./shared";

/** The text completions format of clients. */
export const completionsClient: ClientFormat<CompletionsSource> = {
  field: null,
  parse: (inference) => ({ conversation: completionsConversation(inference), names: NO_TOOLS }),
  fieldName: (name) => name,
  writer(inference, answer) {
    const frame = frameOf(inference);
    return (usage) => writeCompletion({ ...answer, usage }, frame);
  },
  openEncoder: (inference) => new CompletionStreamEncoder(frameOf(inference)),
};

const throughChat = translatorBetween(completionsClient, chatFormat);

/** Translates between a completions client and a chat-style supplier, with the fields that both formats have. */
export const completionsToChat: typeof throughChat = {
  ...throughChat,
  forward(inference, route) {
    const request = throughChat.forward(inference, route) as string;
    const { body } = inference.source;
    const also = sharedBy(route)
      .filter((name) => body[name] != null)
      .map((name) => `,"${name}":${JSON.stringify(body[name])}`);
    return `${request.slice(0, -1)}${also.join("")}}`;
  },
  leftOut(inference, route) {
    const sent = sharedBy(route);
    return throughChat.leftOut(inference, route).filter((name) => !sent.includes(name));
  },
};

/** Fields of both formats that are not part of a conversation. */
const SHARED = ["frequency_penalty", "presence_penalty", "seed"] as const;

/** Returns those of them that the model of a route accepts. */
const sharedBy = (route: Route): readonly string[] =>
  SHARED.filter((name) => takesField(profileOf(route), name, { says: "nothing" }));

const NO_TOOLS = new ToolNames([], MAX_NAME_LENGTH);

/** Parsed requests. Each request is parsed once for all attempts. */
const known = new WeakMap<InferenceRequest, Conversation>();

/** Returns a completions request as a conversation; cached per request. */
function completionsConversation(inference: InferenceRequest<CompletionsSource>): Conversation {
  const conversation = known.get(inference) ?? readCompletionsConversation(inference.source);
  known.set(inference, conversation);
  return conversation;
}

/** Returns the frame of the answer to a completions request. */
const frameOf = ({ source, requestedModel }: InferenceRequest<CompletionsSource>): CompletionFrame => ({
  createdSeconds: Math.floor(Date.now() / 1000),
  wantsUsage: source.wantsUsage,
  idOf: (id) => `cmpl-${id === "" ? randomUUID() : id}`,
  modelOf: (model) => model || requestedModel,
});
