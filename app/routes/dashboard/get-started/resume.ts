import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { changeOnboarding } from "~/domain/accounts/index.server";

const resume = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard/get-started",
  POST: async ({ actor }) => {
    const { hidden } = await changeOnboarding(db(), actor, (before) => ({ ...before, hidden: false }));
    return done({ to: "/dashboard/get-started", toast: "getStarted:resumed", answer: { hidden } });
  },
});

export const loader = resume;
export const action = resume;
