import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { changeDisplayName } from "~/domain/accounts/index.server";
import { DisplayName } from "./settings-form.schema";

const displayName = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard/settings",
  POST: {
    body: DisplayName,
    run: async ({ actor, body: { name } }) => {
      await changeDisplayName(db(), actor, name);
      return done({ to: "/dashboard/settings", toast: "settings:saved", answer: { display_name: name } });
    },
  },
});

export const loader = displayName;
export const action = displayName;
