import type { Db } from "~/connection/db.server";
import { viewsOf } from "../key-view";
import type { PortalKey } from "./shared";
import type { NamedKeyRow } from "./store";

/** Returns views of rows with their names and budgets, in the same order. */
export async function portalViewsOf(db: Db, rows: readonly NamedKeyRow[]): Promise<PortalKey[]> {
  const views = await viewsOf(db, rows);
  return views.map((view, index) => {
    const row = rows[index]!;
    const ownerActive = row.ownerStatus === null || row.ownerStatus === "active";
    const stoppedBy = view.status === "active" ? (ownerActive ? null : "owner") : view.status;
    return {
      organisation: { id: row.organisationId, name: row.organisationName },
      owner:
        row.userId === null
          ? null
          : {
              id: row.userId,
              name: row.ownerName || (row.ownerEmail ?? ""),
              email: row.ownerEmail ?? "",
              active: ownerActive,
            },
      department: named(row.departmentId, row.departmentName),
      project: named(row.projectId, row.projectName),
      createdBy: row.creatorName,
      stoppedBy,
      ...view,
    };
  });
}

const named = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? "" });
