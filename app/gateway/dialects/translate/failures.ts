import { contextOverflow, isContextOverflow } from "../../canonical/context-overflow";
import { SupplierFailure } from "../../canonical/supplier-failure";

/** The text by which agents of this dialect recognise the error. */
const TOO_LONG = "prompt is too long";

/** Translates a chat-style supplier's context overflow for messages clients: agents then shorten the conversation. */
export function asMessagesFailure(failure: SupplierFailure): SupplierFailure {
  const { status, message, supplierCode } = failure;
  if (status === null || !isContextOverflow(message, supplierCode)) return failure;
  const figures = contextOverflow(message);
  const told =
    figures === null
      ? `${TOO_LONG}: ${message}`
      : `${TOO_LONG}: ${figures.requestedTokens} tokens > ${figures.maxTokens} maximum`;
  return new SupplierFailure(failure.kind, told, { ...failure, cause: failure });
}
