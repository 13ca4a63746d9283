import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setKeyAutorouter } from "~/domain/keys/index.server";
import { KeyAutorouterForm } from "./autorouter-form.schema";
import { settingAnswer, settingOf } from "./setting.server";

/** The endpoint that sets a key's autorouter: for the actor's own keys, or for any key in an administrator's scope. */
export const keyAutorouterEndpoint = (whose: { allow: "member" | "department_admin"; ownOnly: boolean }) =>
  portalEndpoint({
    allow: whose.allow,
    page: "/dashboard/autorouter",
    POST: {
      body: KeyAutorouterForm,
      run: async ({ actor, body }) => {
        const setting = settingOf(body);
        await setKeyAutorouter(db(), actor, { keyId: body.key_id, setting, ownOnly: whose.ownOnly });
        return done({
          to: "/dashboard/autorouter#keys",
          toast: "autorouter:saved",
          answer: { key_id: body.key_id, ...settingAnswer(setting) },
        });
      },
    },
  });
