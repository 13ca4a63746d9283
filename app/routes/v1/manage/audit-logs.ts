import { db, plainReads } from "~/connection/db.server";
import { exportAuditLog, readAuditLog } from "~/domain/request-log/index.server";
import { csvResponse } from "~/http/body/csv";
import { AUDIT_COLUMNS, AuditQuery, auditLines, auditPage } from "./audit-view";
import { manageEndpoint } from "./endpoint";

const DEFAULT_LIMIT = 100;

const auditLogs = manageEndpoint(
  {
    GET: async ({ admin: { organisationId }, request, query }) => {
      const { filter, ...page } = query(AuditQuery);
      const own = { ...filter, organisationId };
      if (request.headers.get("accept")?.includes("text/csv")) {
        const file = { name: "audit-log.csv", isForPrograms: true };
        return csvResponse(file, AUDIT_COLUMNS, auditLines(exportAuditLog(plainReads(), own, page)));
      }
      const { entries, nextBeforeId } = await readAuditLog(db(), own, { ...page, limit: page.limit ?? DEFAULT_LIMIT });
      return auditPage(entries, nextBeforeId);
    },
  },
  { query: { GET: AuditQuery } },
);

export const loader = auditLogs;
export const action = auditLogs;
