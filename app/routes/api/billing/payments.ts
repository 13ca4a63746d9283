import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { listPayments } from "~/domain/billing/index.server";

const Query = z.object({ cursor: z.uuid().optional(), limit: z.coerce.number().int().min(1).max(100).default(25) });

/** The payments of the caller and of the wallet that they may fund, newest first. */
const payments = portalEndpoint({
  allow: "viewer",
  query: Query,
  GET: async ({ actor, query }) => {
    const page = await listPayments(db(), actor, query);
    return {
      data: page.payments.map((payment) => ({
        id: payment.id,
        status: payment.state,
        amount: payment.creditNanoUsd,
        fee: payment.feeNanoUsd,
        charged: payment.chargedNanoUsd,
        reversed: payment.reversedNanoUsd,
        created_at: payment.createdAt,
        paid_at: payment.paidAt,
        card: payment.card,
        receipt_url: payment.receiptUrl,
      })),
      next_cursor: page.nextCursor,
    };
  },
});

export const loader = payments;
export const action = payments;
