import { SupplierFailure } from "../../suppliers/adapter";

/** What chat-style suppliers say when a prompt is too long: the limit first, then what was asked. */
const CHAT_OVERFLOW = /(?:maximum context length is|configured limit of) (\d+) tokens\D+(\d+)/i;
/** What messages-style suppliers say, and what their coding agents look for. */
const MESSAGES_OVERFLOW = /prompt is too long: (\d+) tokens > (\d+) maximum/i;

/** A chat-style supplier's refusal as a messages client understands it: agents shorten the conversation and go on. */
export function tellMessagesClient(failure: SupplierFailure): SupplierFailure {
  const [, most, asked] = CHAT_OVERFLOW.exec(failure.message) ?? [];
  if (most === undefined || failure.status === null) return failure;
  return retold(failure, `prompt is too long: ${asked} tokens > ${most} maximum`, failure.supplierCode);
}

/** A messages-style supplier's refusal as a chat client understands it: by its code. */
export function tellChatClient(failure: SupplierFailure): SupplierFailure {
  if (failure.status === null || !MESSAGES_OVERFLOW.test(failure.message)) return failure;
  return retold(failure, failure.message, "context_length_exceeded");
}

function retold(failure: SupplierFailure, message: string, supplierCode: string | null): SupplierFailure {
  const { kind, executed, status, supplierType, retryAfterSeconds } = failure;
  return new SupplierFailure(kind, message, {
    executed,
    status,
    supplierCode,
    supplierType,
    retryAfterSeconds,
    cause: failure,
  });
}
