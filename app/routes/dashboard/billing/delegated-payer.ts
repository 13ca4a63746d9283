import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { acceptDelegation, endDelegation, proposeDelegation } from "~/domain/payers/index.server";
import { DelegatedPayerForm } from "./delegated-payer.schema";
import { mailAccepted, mailQuestion } from "./delegated-payer.server";

const PAGE = "/dashboard/billing";

/** Payments between colleagues: request, offer, acceptance and end. */
const delegatedPayer = portalEndpoint({
  allow: "viewer",
  page: PAGE,
  POST: {
    body: DelegatedPayerForm,
    run: async ({ actor, body, context }) => {
      const { act, email = "", delegation_id: agreement = 0 } = body;
      if (act === "end") {
        await endDelegation(db(), actor, agreement);
        return done({ to: PAGE, toast: "payer:delegated.done.ended" });
      }
      // A person who commits their own wallet must prove their identity.
      if (act !== "request") requireRecentProof(context);
      if (act === "accept") {
        await inTransaction(db(), async (tx) => mailAccepted(tx, actor, await acceptDelegation(tx, actor, agreement)));
        return done({ to: PAGE, toast: "payer:delegated.done.accepted", answer: { delegation_id: agreement } });
      }
      const id = await inTransaction(db(), async (tx) => {
        const { id, asked } = await proposeDelegation(tx, actor, { kind: act, email });
        await mailQuestion(tx, actor, { kind: act, asked });
        return id;
      });
      return done({ to: PAGE, toast: "payer:delegated.done.asked", answer: { delegation_id: id } });
    },
  },
});

export const loader = delegatedPayer;
export const action = delegatedPayer;
