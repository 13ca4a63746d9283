import { contextOverflow } from "../../canonical/context-overflow";
import { SupplierFailure } from "../../canonical/supplier-failure";

/** A chat-style supplier's refusal as a messages client understands it: agents shorten the conversation and go on. */
export function asMessagesFailure(failure: SupplierFailure): SupplierFailure {
  const overflow = contextOverflow(failure.message);
  if (overflow === null || failure.status === null) return failure;
  const { callContext, most } = overflow;
  return new SupplierFailure(failure.kind, `prompt is too long: ${callContext} tokens > ${most} maximum`, {
    ...failure,
    cause: failure,
  });
}
