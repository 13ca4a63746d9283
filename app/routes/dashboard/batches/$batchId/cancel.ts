import { href } from "react-router";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { cancelVisibleBatch } from "~/domain/batches/index.server";
import { BatchParams } from "../params";

const endpoint = portalEndpoint({
  allow: "member",
  params: BatchParams,
  page: "/dashboard/batches",
  POST: async ({ actor, params }) => {
    await cancelVisibleBatch(db(), actor, params.batchId);
    return done({ to: href("/dashboard/batches/:batchId", params), toast: "batches:cancelled" });
  },
});
export const loader = endpoint;
export const action = endpoint;
