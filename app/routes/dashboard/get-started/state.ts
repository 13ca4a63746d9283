import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { readGetStarted } from "./facts.server";

const state = portalEndpoint({
  allow: "signed-in",
  GET: async ({ actor }) => {
    const { steps, next, firstRequest } = await readGetStarted(db(), actor);
    return { steps, next, first_request_at: firstRequest?.startedAt.toISOString() ?? null };
  },
});

export const loader = state;
export const action = state;
