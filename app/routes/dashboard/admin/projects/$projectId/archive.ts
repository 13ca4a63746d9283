import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { archiveProject } from "~/domain/organisations/index.server";
import { Flag } from "~/http/body/fields";
import { ProjectParams } from "../../fields";

const archive = portalEndpoint({
  params: ProjectParams,
  allow: "department_admin",
  page: "/dashboard/admin/projects",
  POST: {
    body: z.strictObject({ archived: Flag.default(true) }),
    run: async ({ actor, params, body }) => {
      await archiveProject(db(), actor, params.projectId, body.archived);
      return done({
        to: `/dashboard/admin/projects/${params.projectId}`,
        toast: body.archived ? "admin:done.projectArchived" : "admin:done.projectRestored",
        answer: { archived: body.archived },
      });
    },
  },
});

export const loader = archive;
export const action = archive;
