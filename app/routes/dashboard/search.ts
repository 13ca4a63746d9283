import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { orNothing, SearchText } from "~/http/body/fields";
import { SearchAttempts } from "./search/attempts";
import { CANDIDATE_KINDS } from "./search/candidates.server";
import { findAnything, findOfKind } from "./search/find.server";

const attempts = new SearchAttempts();

/** Search of the command palette apart from pages; with `kind`, the options of a filter. */
const search = portalEndpoint({
  allow: "viewer",
  query: z.object({ q: SearchText.min(2), kind: orNothing(z.enum(CANDIDATE_KINDS)) }),
  GET: async ({ actor, query }) => {
    const retryAfterSeconds = attempts.count(actor.userId, Date.now());
    if (retryAfterSeconds > 0) {
      throw apiError("rate_limit_exceeded", { key: "problems:tooManyAttempts", retryAfterSeconds });
    }
    const { q, kind } = query;
    const results = kind === undefined ? await findAnything(db(), actor, q) : await findOfKind(db(), actor, kind, q);
    return {
      results: results.map(({ organisationId, ...result }) => ({
        ...result,
        ...(organisationId === undefined ? {} : { switch_org_id: organisationId }),
      })),
    };
  },
});

export const loader = search;
export const action = search;
