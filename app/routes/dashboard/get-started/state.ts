import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readGetStarted } from "./facts.server";

const state = portalEndpoint({
  allow: "signed-in",
  GET: async ({ actor }) => {
    const { steps, next, firstRequest, rejected, news } = await readGetStarted(db(), actor);
    return {
      steps,
      next,
      news,
      first_request_at: firstRequest?.startedAt.toISOString() ?? null,
      rejected: rejected && {
        at: rejected.burst.at.toISOString(),
        times: rejected.burst.times,
        request_id: rejected.burst.requestId,
        code: rejected.burst.code,
        human_message: rejected.burst.humanMessage,
        remedy: { kind: rejected.remedy.kind, url: rejected.remedy.to },
      },
    };
  },
});

export const loader = state;
export const action = state;
