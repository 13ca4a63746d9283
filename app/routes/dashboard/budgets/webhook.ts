import { flashCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { removeWebhook, rotateWebhookSecret, saveWebhook, testWebhook } from "~/domain/budgets/index.server";
import { apiError } from "~/errors/app-error";
import { unreachable } from "~/unreachable";
import { WebhookForm } from "./webhook.schema";

const PAGE = "/dashboard/budgets";
const once = (secret: string) => [flashCookie("once", { kind: "webhook", secret })];

/** The caller's webhook for alerts: saved, with another secret, tested, or removed. A secret is answered once. */
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
          const shown = secret === null ? {} : { cookies: once(secret), answer: { secret } };
          return done({ to: PAGE, toast: "budgets:webhook.saved", ...shown });
        }
        case "rotate": {
          const secret = await rotateWebhookSecret(db(), actor);
          return done({ to: PAGE, toast: "budgets:webhook.rotated", cookies: once(secret), answer: { secret } });
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
