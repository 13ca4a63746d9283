import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readAutoTopup, saveAutoTopup, switchOffAutoTopup } from "~/domain/billing/index.server";
import { apiError } from "~/errors/app-error";
import { AutoTopupForm } from "./auto-topup.schema";

const PAGE = "/dashboard/billing";

/** Reads, sets or stops auto top-up of the caller's wallet. Each change is a new version with its own consent. */
const autoTopup = portalEndpoint({
  allow: "viewer",
  page: PAGE,
  GET: async ({ actor }) => {
    const view = await readAutoTopup(db(), actor);
    if (view === null) throw apiError("forbidden", { key: "rejections:fundsByAdmins" });
    const { settings, pause, consent } = view;
    return {
      active: consent !== null,
      version: view.version,
      wait: view.wait,
      pause: pause && { reason: pause.reason, at: pause.at, payment_id: pause.paymentId },
      settings: settings && {
        threshold: settings.thresholdNanoUsd,
        amount: settings.amountNanoUsd,
        daily_limit: settings.dayLimitNanoUsd,
        monthly_limit: settings.monthLimitNanoUsd,
      },
      consent: consent && { version: consent.version, language: consent.language, at: consent.at },
      next_attempt_at: view.nextAttemptAt,
    };
  },
  POST: {
    body: AutoTopupForm,
    run: async ({ actor, body, context }) => {
      if (!body.active) {
        const version = await switchOffAutoTopup(db(), actor);
        return done({ to: PAGE, toast: "autoTopup:switchedOff", answer: { active: false, version } });
      }
      requireRecentProof(context);
      const { threshold = 0n, amount = 0n, daily_limit = 0n, monthly_limit = 0n, version: seen = 0 } = body;
      const version = await saveAutoTopup(db(), actor, {
        version: seen,
        thresholdNanoUsd: threshold,
        amountNanoUsd: amount,
        dayLimitNanoUsd: daily_limit,
        monthLimitNanoUsd: monthly_limit,
        consent: { version: body.consent_version ?? "", language: body.consent_language ?? "en" },
      });
      return done({ to: PAGE, toast: "autoTopup:saved", answer: { active: true, version } });
    },
  },
});

export const loader = autoTopup;
export const action = autoTopup;
