import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { readOrganisation, setOrganisationBudget, updateSettings } from "~/domain/organisations/index.server";
import { actorOf } from "../actor";
import { manageEndpoint } from "../endpoint";
import { organisationAnswer } from "../person-answers";
import { ChangeOrganisation, idOf, ORGANISATION_AMOUNTS } from "../person-requests";

const organisation = manageEndpoint(
  {
    GET: async (call) => {
      const actor = await actorOf(call);
      return organisationAnswer((await readOrganisation(db(), actor, idOf(call.params, "orgId"))).view);
    },
    PATCH: async (call) => {
      const actor = await actorOf(call);
      const id = idOf(call.params, "orgId");
      const { name, monthly_budget: limit } = await call.body(ChangeOrganisation, { amounts: ORGANISATION_AMOUNTS });
      await inTransaction(db(), async (tx) => {
        if (name !== undefined) await updateSettings(tx, actor, id, { name });
        if (limit !== undefined) await setOrganisationBudget(tx, actor, id, { limitNanoUsd: limit });
      });
      return organisationAnswer((await readOrganisation(db(), actor, id)).view);
    },
  },
  { body: { PATCH: ChangeOrganisation } },
);

export const loader = organisation;
export const action = organisation;
