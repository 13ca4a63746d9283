import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { replayEvent } from "~/domain/billing/index.server";
import { apiError } from "~/errors/app-error";

const page = "/dashboard/admin/billing";

/** Applies an event of the payment processor again after its last attempt has failed. */
const replay = portalEndpoint({
  params: z.object({ eventId: z.string().regex(/^evt_\w{1,250}$/) }),
  allow: "platform_admin",
  page,
  POST: async ({ params }) => {
    const { found, applied } = await replayEvent(db(), params.eventId);
    if (!found) throw apiError("not_found");
    const toast = applied ? "billing:admin.replayed" : { kind: "bad" as const, text: "billing:admin.stillDead" };
    return done({ to: page, toast, answer: { applied } });
  },
});

export const loader = replay;
export const action = replay;
