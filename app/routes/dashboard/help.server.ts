import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { type HelpPanel, showHelp } from "~/domain/accounts/index.server";
import { Flag } from "~/http/body/fields";

/** The endpoint that shows or hides a page's explanation. The choice is stored for the person, on all devices. */
export const helpEndpoint = (panel: HelpPanel, page: string) =>
  portalEndpoint({
    allow: "signed-in",
    page,
    POST: {
      body: z.strictObject({ shown: Flag }),
      run: async ({ actor, body: { shown } }) => {
        await showHelp(db(), actor, panel, shown);
        return done({ to: page, answer: { shown } });
      },
    },
  });
