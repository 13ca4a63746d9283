import { saveTurn } from "~/domain/conversations/index.server";
import { log } from "~/observe/log.server";
import type { AdmittedCall } from "../admit/admission";
import { DIALECTS } from "../canonical/dialects";

/**
 * Hands the texts of an answered call over for storage, if its organisation has enabled that. Never rejects and does
 * not wait. For all other calls it costs one comparison.
 */
export function saveConversation(
  { call, caller, inference, dialect, sessionId }: AdmittedCall,
  model: string,
  outputText: () => string,
): void {
  if (!caller.conversations || DIALECTS[dialect.name].conversation === null) return;
  try {
    const { organisationId, keyId, userId, conversations } = caller;
    const { endpoint } = inference;
    const turn = { requestId: call.id, organisationId, keyId, userId, sessionId, endpoint, model, at: call.startedAt };
    saveTurn(turn, conversations, { request: dialect.promptText(inference), answer: outputText() });
  } catch (error) {
    log.warn({ call: call.id, err: error }, "a conversation could not be kept");
  }
}
