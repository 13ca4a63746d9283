import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readExport } from "~/domain/reports/index.server";
import { ExportParams } from "./params";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: ExportParams,
  GET: async ({ actor, params }) => {
    const job = await readExport(db(), actor, params.jobId);
    return {
      id: job.id,
      report_id: job.reportId,
      name: job.name,
      format: job.format,
      status: job.status,
      percent: job.percent,
      rows: job.rows,
      bytes: Number(job.bytes),
      sha256: job.sha256,
      problem: job.problem,
      created_at: job.createdAt,
      finished_at: job.finishedAt,
      expires_at: job.expiresAt,
    };
  },
});
export const loader = endpoint;
export const action = endpoint;
