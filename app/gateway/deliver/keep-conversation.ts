import { keepTurn } from "~/domain/conversations/index.server";
import { log } from "~/log.server";
import type { AdmittedCall } from "../admit/admission";

/** Of the dialects whose requests and answers are texts. */
const TEXTS: ReadonlySet<string> = new Set(["chat", "completions", "messages", "responses", "native"]);

/**
 * Hands an answered call's texts over for storing, where its organisation has chosen that. Never rejects and waits for nothing;
 * everybody else's calls pass by with one comparison.
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
