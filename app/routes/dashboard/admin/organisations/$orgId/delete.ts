import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { deleteOrganisation } from "~/domain/organisations/index.server";
import { OrganisationParams } from "../../fields";

/** DELETE by POST, because HTML forms cannot send DELETE. */
const remove = portalEndpoint({
  params: OrganisationParams,
  allow: "platform_admin",
  page: "/dashboard/admin/organisations",
  POST: {
    body: z.strictObject({ confirm: z.string().max(200).optional() }),
    run: async ({ actor, params }) => {
      await deleteOrganisation(db(), actor, params.orgId);
      return done({ to: "/dashboard/admin/organisations", toast: "admin:done.organisationDeleted" });
    },
  },
});

export const loader = remove;
export const action = remove;
