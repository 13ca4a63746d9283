import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { changeOnboarding } from "~/domain/accounts/index.server";

const reset = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard/get-started",
  POST: async ({ actor }) => {
    const { hidden } = await changeOnboarding(db(), actor, () => ({ hidden: false, done: [] }));
    return done({ to: "/dashboard/get-started", toast: "getStarted:resetDone", answer: { hidden } });
  },
});

export const loader = reset;
export const action = reset;
