import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readLimiter } from "~/domain/keys/index.server";
import { Id } from "~/http/body/fields";
import { limiterAnswer } from "../../keys/limiter-answer.server";

const Query = z.object({ key_id: Id });

const state = portalEndpoint({
  query: Query,
  allow: "department_admin",
  GET: async ({ actor, query }) => limiterAnswer(await readLimiter(db(), actor, query.key_id)),
});

export const loader = state;
export const action = state;
