import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setOwnAutorouter } from "~/domain/accounts/index.server";
import { UserAutorouterForm } from "./autorouter-form.schema";
import { settingAnswer, settingOf } from "./setting.server";

const own = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/autorouter",
  POST: {
    body: UserAutorouterForm,
    run: async ({ actor, body }) => {
      const setting = settingOf(body);
      await setOwnAutorouter(db(), actor, setting);
      return done({ to: "/dashboard/autorouter#settings", toast: "autorouter:saved", answer: settingAnswer(setting) });
    },
  },
});

export const loader = own;
export const action = own;
