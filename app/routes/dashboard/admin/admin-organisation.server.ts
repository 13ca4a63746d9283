import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { setAdminView } from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { organisationOfDomain, readOrganisation } from "~/domain/organisations/index.server";
import { apiError } from "~/errors/app-error";
import { OptionalId } from "~/http/body/fields";

const Body = z.strictObject({
  /** Empty: all organisations. */
  org_id: OptionalId.optional(),
  /** Parameter of older links: the host name of a reseller's portal. */
  domain: z.string().trim().max(253).optional(),
});

/** Chooses the organisation that a platform admin views; without a value, all organisations. */
export const adminOrganisationEndpoint = () =>
  portalEndpoint({
    allow: "platform_admin",
    page: "/dashboard",
    POST: {
      body: Body,
      run: async ({ actor, body, request }) => {
        const adminOrganisationId = await chosen(actor, body);
        await setAdminView(db(), actor, { adminMode: true, adminOrganisationId });
        return done({ to: cameFrom(request, "/dashboard"), answer: { org_id: adminOrganisationId } });
      },
    },
  });

async function chosen(actor: Actor, { org_id: id, domain }: z.output<typeof Body>): Promise<number | null> {
  if (id !== undefined && id !== null) return (await readOrganisation(db(), actor, id)).row.id;
  if (!domain) return null;
  const organisation = await organisationOfDomain(db(), domain);
  if (organisation === null) throw apiError("not_found", { key: "rejections:noOrganisation" });
  return organisation.id;
}
