import { randomUUID } from "node:crypto";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { redeemCode } from "~/domain/promotions/index.server";
import { formatUsd } from "~/values/money";
import { RedeemForm } from "./redeem.schema";

/** Redeems a promotion code for the wallet that pays for the person. */
const redeem = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/billing",
  POST: {
    body: RedeemForm,
    run: async ({ actor, body }) => {
      const redemption = { typed: body.code, requestId: body.request_id ?? randomUUID() };
      const { name, amountNanoUsd } = await redeemCode(db(), actor, redemption);
      return done({
        to: "/dashboard/billing",
        toast: { kind: "good", text: "promotions:redeemed", values: { name } },
        answer: { name, amount: formatUsd(amountNanoUsd) },
      });
    },
  },
});

export const loader = redeem;
export const action = redeem;
