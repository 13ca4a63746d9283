import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readLimiter } from "~/domain/keys/index.server";
import { limiterAnswer } from "../limiter-answer.server";
import { KeyPath } from "./key-path";

const state = portalEndpoint({
  params: KeyPath,
  allow: "signed-in",
  GET: async ({ actor, params }) => limiterAnswer(await readLimiter(db(), actor, params.keyId)),
});

export const loader = state;
export const action = state;
