import { keepTurn } from "~/domain/conversations/index.server";
import { log } from "~/observe/log.server";
import type { AdmittedCall } from "../admit/admission";

/** Dialects whose requests and answers are texts. */
const TEXTS: ReadonlySet<string> = new Set(["chat", "completions", "messages", "responses", "native"]);

/**
 * Hands the texts of an answered call over for storage, if its organisation has enabled that. Never rejects and does
 * not wait. For all other calls it costs one comparison.
 */
export function keepConversation(
  { call, caller, inference, dialect, sessionId }: AdmittedCall,
  model: string,
  outputText: () => string,
): void {
  if (!caller.conversations || !TEXTS.has(dialect.name)) return;
  try {
    const { organisationId, keyId, userId, conversations } = caller;
    const { endpoint } = inference;
    const turn = { requestId: call.id, organisationId, keyId, userId, sessionId, endpoint, model, at: call.startedAt };
    keepTurn(turn, conversations, { request: dialect.promptText(inference), answer: outputText() });
  } catch (problem) {
    log.warn({ call: call.id, err: problem }, "a conversation could not be kept");
  }
}
