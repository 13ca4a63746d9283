import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { mergeOrganisations } from "~/domain/organisations/index.server";
import { formatUsd } from "~/values/money";
import { emailNominee } from "../email-nominee.server";
import { MergeForm } from "./merge-form.schema";

const merge = portalEndpoint({
  allow: "platform_admin",
  page: "/dashboard/admin/organisations",
  POST: {
    body: MergeForm,
    run: async ({ actor, body, context }) => {
      requireRecentProof(context);
      const {
        movedNanoUsd,
        nominatedUserId,
        asked: _,
        ...moved
      } = await inTransaction(db(), async (tx) => {
        const merged = await mergeOrganisations(tx, actor, body);
        await emailNominee(tx, actor, merged.asked);
        return merged;
      });
      return done({
        to: `/dashboard/admin/organisations/${body.targetId}`,
        toast: { kind: "good", text: "admin:done.merged", values: { people: moved.people, keys: moved.keys } },
        answer: { ...moved, moved_funds: formatUsd(movedNanoUsd), nominated_user_id: nominatedUserId },
      });
    },
  },
});

export const loader = merge;
export const action = merge;
