import type { JsonObject } from "../wire/events/reading";
import { decoded, parseExactJson } from "../wire/long-texts";
import type { SupplierFormat } from "../wire/supplier-format";
import { readChatAnswer } from "./answer";
import { ChatStreamDecoder } from "./decode-stream";
import { readChatBody } from "./read-answer";
import { fieldsOmittedFromChat, writeChatRequest } from "./write-request";

/** The chat completions format of suppliers, for clients of other dialects. */
export const chatFormat: SupplierFormat = {
  write: writeChatRequest,
  leftOut: (conversation, _profile, route) => fieldsOmittedFromChat(conversation, route),
  readReport: readChatAnswer,
  readWhole: (body, _profile, stopSequences = []) =>
    readChatBody(parseExactJson(decoded(body)) as JsonObject, stopSequences),
  openParts: (_profile, stopSequences = []) => new ChatStreamDecoder(stopSequences),
};
