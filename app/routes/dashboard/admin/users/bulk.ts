import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { changePeople } from "~/domain/people/index.server";
import { OptionalId } from "~/http/body/fields";
import { SelectedIds } from "../../bulk-form";
import { sealedUndo } from "../../undo.server";

/** Changes several people at once: all of them or none. */
const endpoint = portalEndpoint({
  allow: "department_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.object({
      intent: z.enum(["suspend", "reinstate", "move"]),
      ids: SelectedIds,
      department_id: OptionalId.optional(),
    }),
    run: async ({ actor, body: { intent, ids, department_id }, request }) => {
      const act = intent === "move" ? { intent, departmentId: department_id ?? null } : { intent };
      const { done: changed, isFinal } = await changePeople(db(), actor, ids, act);
      const undo = isFinal ? undefined : sealedUndo("user", actor, changed);
      return done({
        to: cameFrom(request, "/dashboard/admin/users"),
        toast: { kind: "good", text: `ui:list.people.done.${intent}`, values: { count: changed.length }, undo },
        answer: { changed: changed.map(({ id }) => id), undo },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
