import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { deleteConversation } from "~/domain/conversations/index.server";
import { Id } from "~/http/body/fields";

const conversation = portalEndpoint({
  allow: "org_admin",
  params: z.object({ convId: Id }),
  DELETE: async ({ actor, params }) => {
    await deleteConversation(db(), actor, params.convId);
    return { deleted: true };
  },
});

export const loader = conversation;
export const action = conversation;
