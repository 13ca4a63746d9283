import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setOrganisationAutorouter } from "~/domain/organisations/index.server";
import { OrganisationAutorouterForm } from "~/routes/dashboard/autorouter/autorouter-form.schema";
import { settingAnswer, settingOf } from "~/routes/dashboard/autorouter/setting.server";
import { ownOrganisation } from "../organisation/own-organisation";

const organisation = portalEndpoint({
  allow: "org_admin",
  page: "/dashboard/autorouter",
  POST: {
    body: OrganisationAutorouterForm,
    run: async ({ actor, body }) => {
      const setting = settingOf(body);
      const organisationId = ownOrganisation(actor, body.org_id);
      await setOrganisationAutorouter(db(), actor, organisationId, setting);
      return done({
        to: "/dashboard/autorouter#settings",
        toast: "autorouter:saved",
        answer: { org_id: organisationId, ...settingAnswer(setting) },
      });
    },
  },
});

export const loader = organisation;
export const action = organisation;
