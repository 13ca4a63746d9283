import type { SupplierFormat } from "../wire/supplier-format";
import { parseExactMessage, readMessagesAnswer } from "./answer";
import { MessagesStreamDecoder } from "./decode-stream";
import { DEFAULT_VERSION } from "./forward";
import { readMessagesBody } from "./read-answer";
import { fieldsOmittedFromMessages, writeMessagesRequest } from "./write-request";

/** The messages format of suppliers, for clients of other dialects. */
export const messagesFormat: SupplierFormat = {
  // Later versions reject sampling parameters and add nothing that a client of another dialect can request.
  headers: { "anthropic-version": DEFAULT_VERSION },
  write: (conversation, request) =>
    writeMessagesRequest(conversation, { ...request, defaultMaxTokens: request.route.model.maxOutputTokens }),
  leftOut: fieldsOmittedFromMessages,
  readReport: readMessagesAnswer,
  readWhole(body) {
    const { message, blocks } = parseExactMessage(body);
    return readMessagesBody(message, blocks);
  },
  openParts: () => new MessagesStreamDecoder(),
};
