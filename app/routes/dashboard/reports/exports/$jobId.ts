import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readExport } from "~/domain/reports/index.server";
import { ExportParams } from "./params";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: ExportParams,
  GET: async ({ actor, params }) => {
    const found = await readExport(db(), actor, params.jobId);
    return {
      id: found.id,
      report_id: found.reportId,
      name: found.name,
      format: found.format,
      status: found.status,
      percent: found.percent,
      rows: found.rows,
      bytes: Number(found.bytes),
      sha256: found.sha256,
      problem: found.problem,
      created_at: found.createdAt,
      finished_at: found.finishedAt,
      expires_at: found.expiresAt,
    };
  },
});
export const loader = endpoint;
export const action = endpoint;
