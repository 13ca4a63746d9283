import { secretCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { removeWebhook, rotateWebhookSecret, saveWebhook, testWebhook } from "~/domain/budgets/index.server";
import { apiError } from "~/errors/app-error";
import { unreachable } from "~/values/unreachable";
import { WebhookForm } from "./webhook.schema";

const PAGE = "/dashboard/budgets/alerts";
const unstored = (actor: Actor, secret: string) => [
  secretCookie({ kind: "alert-webhook", secret, userId: actor.userId }),
];

/**
 * Saves, tests or removes the caller's webhook for alerts, or replaces its secret. A secret is in one answer only, and
 * stays on the page until it is stored.
 */
const webhook = portalEndpoint({
  allow: "viewer",
  page: PAGE,
  POST: {
    body: WebhookForm,
    run: async ({ actor, body: { act, url } }) => {
      switch (act) {
        case "save": {
          if (url === undefined) throw apiError("invalid_request", { key: "problems:webhookUrl", param: "url" });
          const secret = await saveWebhook(db(), actor, url);
          const shown = secret === null ? {} : { cookies: unstored(actor, secret), answer: { secret } };
          return done({ to: PAGE, toast: "budgets:webhook.saved", ...shown });
        }
        case "rotate": {
          const secret = await rotateWebhookSecret(db(), actor);
          return done({
            to: PAGE,
            toast: "budgets:webhook.rotated",
            cookies: unstored(actor, secret),
            answer: { secret },
          });
        }
        case "test": {
          const { status, error } = await testWebhook(db(), actor);
          const toast =
            error === null
              ? "budgets:webhook.tested"
              : ({ kind: "bad", text: "budgets:webhook.testFailed", values: { problem: error } } as const);
          return done({ to: PAGE, toast, answer: { accepted: error === null, status, error } });
        }
        case "remove":
          await removeWebhook(db(), actor);
          return done({ to: PAGE, toast: "budgets:webhook.removed" });
        default:
          return unreachable(act);
      }
    },
  },
});

export const loader = webhook;
export const action = webhook;
