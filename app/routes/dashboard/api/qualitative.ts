import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { QualityQuery, readQualityView } from "../qualitative/view.server";

const quality = portalEndpoint({
  query: QualityQuery,
  allow: "viewer",
  GET: async ({ query }) => {
    const { rows, days, ...view } = await readQualityView(db(), query);
    return { days: Number(days), ...view, data: rows };
  },
});

export const loader = quality;
export const action = quality;
