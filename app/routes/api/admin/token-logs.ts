import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readTokenLog } from "~/domain/credentials/index.server";
import { TokenLogQuery } from "~/domain/credentials/shared";

const logs = portalEndpoint({
  query: TokenLogQuery,
  allow: "platform_admin",
  GET: ({ query }) => readTokenLog(db(), query),
});

export const loader = logs;
export const action = logs;
