import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { flashCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { mailSenderOf, passOnInvite } from "~/domain/organisations/index.server";
import { Id } from "~/http/body/fields";

const link = portalEndpoint({
  params: z.object({ inviteId: Id }),
  allow: "platform_admin",
  page: "/dashboard/admin/users/invite",
  POST: async ({ actor, params, context }) => {
    requireRecentProof(context);
    const { token, email, expiresAt, organisationId } = await passOnInvite(db(), actor, params.inviteId);
    const { origin } = await mailSenderOf(db(), organisationId);
    const url = `${origin}/invite/${token}`;
    return done({
      to: "/dashboard/admin/users/invite",
      cookies: [flashCookie("once", { kind: "invite", secret: url, label: email })],
      answer: { url, expires_at: expiresAt },
    });
  },
});

export const loader = link;
export const action = link;
