import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { updateSettings } from "~/domain/organisations/index.server";
import { OrganisationSettingsForm } from "../organisations/organisation-form.schema";
import { organisationPage, ownOrganisation } from "./own-organisation";

const settings = portalEndpoint({
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: {
    body: OrganisationSettingsForm,
    run: async ({ actor, body }) => {
      await updateSettings(db(), actor, ownOrganisation(actor, body.org_id), {
        name: body.name,
        brandName: body.brand_name,
        accentColour: body.accent_colour,
        supportEmail: body.support_email,
        portalDomain: body.portal_domain,
      });
      return done({ to: organisationPage(actor, body.org_id), toast: "admin:done.settings" });
    },
  },
});

export const loader = settings;
export const action = settings;
