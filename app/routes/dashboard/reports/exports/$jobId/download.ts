import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { openExport, readFile } from "~/domain/reports/index.server";
import type { ExportFormat } from "~/domain/reports/shared";
import { fileResponse } from "~/http/file-response";
import { ExportParams } from "../params";

const TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

const endpoint = portalEndpoint({
  allow: "viewer",
  params: ExportParams,
  GET: async ({ actor, params, request }) => {
    const { id, format, bytes, sha256, createdAt } = await openExport(db(), actor, params.jobId);
    return fileResponse(request, {
      name: `report-${createdAt.toISOString().slice(0, 10)}.${format}`,
      type: TYPES[format],
      size: Number(bytes),
      etag: `"${sha256}"`,
      read: (range) => readFile(db(), id, range),
    });
  },
});
export const loader = endpoint;
export const action = endpoint;
