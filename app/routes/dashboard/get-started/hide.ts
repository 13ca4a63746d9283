import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { changeOnboarding } from "~/domain/accounts/index.server";

const hide = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard/get-started",
  POST: async ({ actor }) => {
    const { hidden } = await changeOnboarding(db(), actor, (before) => ({ ...before, hidden: true }));
    return done({ to: "/dashboard", toast: "getStarted:hidden", answer: { hidden } });
  },
});

export const loader = hide;
export const action = hide;
