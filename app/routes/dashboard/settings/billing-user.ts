import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { answerNomination, withdrawAsBillingUser } from "~/domain/organisations/index.server";

const ANSWERS = ["accept", "decline", "withdraw"] as const;

/** The person's answer to a request to pay for everyone in their organisation. */
const billingUser = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard/settings",
  POST: {
    body: z.strictObject({ answer: z.enum(ANSWERS) }),
    run: async ({ actor, body: { answer }, context }) => {
      if (answer === "accept") requireRecentProof(context);
      if (answer === "withdraw") await withdrawAsBillingUser(db(), actor);
      else await answerNomination(db(), actor, answer);
      return done({
        to: "/dashboard/settings",
        toast: `settings:payer.done.${answer}`,
        answer: { pays: answer === "accept" },
      });
    },
  },
});

export const loader = billingUser;
export const action = billingUser;
