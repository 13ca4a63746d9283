import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { doTogether } from "~/domain/activity/index.server";
import { revokeInvite } from "~/domain/organisations/index.server";
import { SelectedIds } from "../../../bulk-form";

/** Revokes several invitations at once: all of them or none. */
const endpoint = portalEndpoint({
  allow: "department_admin",
  page: "/dashboard/admin/users/invite",
  POST: {
    body: z.object({ intent: z.literal("revoke"), ids: SelectedIds }),
    run: async ({ actor, body: { ids }, request }) => {
      const changed = await doTogether(db(), { kind: "invite", ids, act: (tx, id) => revokeInvite(tx, actor, id) });
      return done({
        to: cameFrom(request, "/dashboard/admin/users/invite"),
        toast: { kind: "good", text: "ui:list.invites.revoked", values: { count: changed.length } },
        answer: { changed: changed.map(({ id }) => id) },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
