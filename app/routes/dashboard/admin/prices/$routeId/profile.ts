import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { setProfile } from "~/domain/catalogue/index.server";
import { Id } from "~/http/body/fields";
import { ProfileForm } from "../../models/profile-form.schema";
import { ADMIN_MODELS } from "../../models/shared";

const TAB = `${ADMIN_MODELS}?tab=prices`;

/** Sets the profile of a supplier's model. */
const profile = portalEndpoint({
  params: z.object({ routeId: Id }),
  allow: "platform_admin",
  page: TAB,
  POST: {
    body: ProfileForm,
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      await setProfile(db(), authorOf(actor), params.routeId, body.profile);
      return done({ to: `${TAB}&edit=${params.routeId}#model-profile`, toast: "adminModels:done.profiled" });
    },
  },
});

export const loader = profile;
export const action = profile;
