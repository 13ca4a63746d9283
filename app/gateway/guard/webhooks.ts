import { askWebhook } from "~/domain/guardrails/index.server";
import type { GuardrailHolder, GuardrailWebhook, WebhookVerdict } from "~/domain/guardrails/shared";
import { type AppError, apiError } from "~/errors/app-error";
import type { AdmittedCall } from "../admit/admission";

/**
 * Sends the request's texts to the webhooks of a call's key, the organisation's first, until one refuses. Their
 * decisions are recorded with the call. Stops when the client leaves.
 * @throws AppError request_rejected by the webhook that refuses; service_unavailable if a mandatory webhook does not
 * answer
 */
export async function askWebhooks(
  { call, caller, inference, dialect }: Pick<AdmittedCall, "call" | "caller" | "inference" | "dialect">,
  textsOf: () => string[],
): Promise<void> {
  const webhooks = caller.guardrails?.webhooks ?? [];
  if (webhooks.length === 0) return;
  const texts = textsOf();
  const cancelled = new AbortController();
  call.onAbort(() => cancelled.abort());
  try {
    for (const webhook of webhooks) {
      const question = {
        id: call.id,
        isTest: false,
        key: caller.publicId,
        organisationId: caller.organisationId,
        texts,
        endpoint: dialect.endpoint,
        model: inference.requestedModel,
        stream: inference.stream,
      };
      const verdict = await askWebhook(webhook, question, cancelled.signal);
      if (call.aborted) throw call.reason;
      call.webhookNotes.push({ kind: "webhook", by: webhook.by, ...verdict });
      if (verdict.action === "refuse") throw refusalOf(webhook, verdict);
    }
  } finally {
    call.onAbort(null);
  }
}

const WHOSE = { organisation: "organisation’s", key: "key’s" } as const satisfies Record<
  GuardrailHolder["kind"],
  string
>;

function refusalOf({ by }: GuardrailWebhook, { reason, problem }: WebhookVerdict): AppError {
  const details = { guardrail: "webhook", guardrail_of: by, guardrail_on: "input" };
  if (problem !== null)
    return apiError("service_unavailable", {
      userMessage: `The ${WHOSE[by]} guardrail webhook could not check this request. Try again in a moment.`,
      details,
    });
  const why = reason === null ? "" : ` ${reason}`;
  return apiError("request_rejected", {
    userMessage: `The ${WHOSE[by]} guardrail webhook does not allow this request.${why}`,
    details,
  });
}
