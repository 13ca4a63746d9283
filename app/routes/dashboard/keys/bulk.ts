import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { changeActorKeys, type KeyAct } from "~/domain/keys/index.server";
import { OptionalId, OptionalUsd } from "~/http/body/fields";
import { SelectedIds } from "../bulk-form";
import { sealedUndo } from "../undo.server";

const Form = z.object({
  intent: z.enum(["suspend", "resume", "revoke", "move", "budget"]),
  ids: SelectedIds,
  project_id: OptionalId.optional(),
  budget_limit: OptionalUsd.optional(),
  budget_period: z.enum(BUDGET_PERIODS).optional(),
});

/** Changes several keys at once: all of them or none. */
const endpoint = portalEndpoint({
  allow: "member",
  page: "/dashboard/keys",
  POST: {
    body: Form,
    run: async ({ actor, body, request }) => {
      const changed = await changeActorKeys(db(), actor, body.ids, actOf(body));
      const undo = body.intent === "revoke" ? undefined : sealedUndo("key", actor, changed);
      return done({
        to: cameFrom(request, "/dashboard/keys"),
        toast: { kind: "good", text: `ui:list.keys.done.${body.intent}`, values: { count: changed.length }, undo },
        answer: { changed: changed.map(({ id }) => id), undo },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;

function actOf({ intent, project_id, budget_limit, budget_period }: z.output<typeof Form>): KeyAct {
  if (intent === "move") return { intent, projectId: project_id ?? null };
  if (intent === "budget") return { intent, budget: { limitNanoUsd: budget_limit ?? null, period: budget_period } };
  return { intent };
}
