import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { SearchText } from "~/http/fields";
import { SearchAttempts } from "./search/attempts";
import { findAnything } from "./search/find.server";

const attempts = new SearchAttempts();

/** What the command palette finds, beyond pages. */
const search = portalEndpoint({
  allow: "viewer",
  query: z.object({ q: SearchText.min(2) }),
  GET: async ({ actor, query }) => {
    const retryAfterSeconds = attempts.count(actor.userId, Date.now());
    if (retryAfterSeconds > 0) {
      throw apiError("rate_limit_exceeded", { key: "problems:tooManyAttempts", retryAfterSeconds });
    }
    const found = await findAnything(db(), actor, query.q);
    return {
      results: found.map(({ organisationId, ...result }) => ({
        ...result,
        ...(organisationId === undefined ? {} : { switch_org_id: organisationId }),
      })),
    };
  },
});

export const loader = search;
export const action = search;
