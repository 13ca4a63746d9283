import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { saveAutoTopup, switchOffAutoTopup } from "~/domain/billing/index.server";
import { AutoTopupForm } from "./auto-topup.schema";

const PAGE = "/dashboard/billing";

/** Sets or stops auto top-up of the caller's wallet. Each change is a version of its own, with a consent of its own. */
const autoTopup = portalEndpoint({
  allow: "viewer",
  page: PAGE,
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
