import { secretCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { GuardrailWebhookForm } from "./guardrail-form.schema";
import { changeWebhook, pageOf, secretKindOf } from "./holder.server";

const TOASTS = {
  save: "guardrails:webhook.saved",
  rotate: "guardrails:webhook.rotated",
  remove: "guardrails:webhook.removed",
} as const;

/**
 * Saves or removes the webhook of an organisation or a key, or replaces its secret. A secret is in one answer only, and
 * stays on the page until it is stored.
 */
const webhook = portalEndpoint({
  allow: "member",
  page: "/dashboard/guardrails",
  POST: {
    body: GuardrailWebhookForm,
    run: async ({ actor, body }) => {
      const secret = await changeWebhook(db(), actor, body);
      const shown =
        secret === null
          ? {}
          : {
              cookies: [secretCookie({ kind: secretKindOf(actor, body), secret, userId: actor.userId })],
              answer: { secret },
            };
      return done({ to: `${pageOf(body)}#webhook`, toast: TOASTS[body.change.kind], ...shown });
    },
  },
});

export const loader = webhook;
export const action = webhook;
