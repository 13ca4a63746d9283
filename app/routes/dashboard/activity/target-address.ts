import type { AuditEventView } from "~/domain/activity/shared";
import { atLeast, type Role } from "~/domain/identity/shared";

/** Who reads the audit log, and what they call people, by their numbers: those who are missing go by what was recorded. */
export type AuditReader = { role: Role; userId: number; names?: Readonly<Record<number, string>> };

type Target = Pick<AuditEventView, "action" | "targetKind" | "targetId">;

/**
 * Where the thing that an act was about is shown to this reader; null where it is gone, or has no page that they may open. That the
 * page is open to them in the end is the page's own decision.
 */
export function addressOfTarget(
  { action, targetKind: kind, targetId: id }: Target,
  reader: AuditReader,
): string | null {
  if (/\.(delete|merged_away)$/.test(action)) return null;
  if (kind === "user") return addressOfPerson(Number(id), reader);
  if (kind === "key") return `/dashboard/keys/${id}`;
  if (kind === "saved_report") return `/dashboard/reports/${id}/view`;
  if (kind === "report_schedule" || kind === "report_export") return "/dashboard/reports";
  if (kind === "project") return atLeast(reader.role, "department_admin") ? `/dashboard/admin/projects/${id}` : null;
  if (kind === "invite") return atLeast(reader.role, "department_admin") ? "/dashboard/admin/users/invite" : null;
  if (kind === "conversation") return atLeast(reader.role, "org_admin") ? `/dashboard/admin/conversations/${id}` : null;
  if (kind === "organisation" || kind === "department") return addressOfOrganisation(kind, id, reader);
  const address = atLeast(reader.role, "platform_admin") ? OF_PLATFORM[kind] : undefined;
  return address?.replace("$id", encodeURIComponent(id)) ?? null;
}

/** Where a person is shown: to themselves among their settings, to administrators among their people. */
export function addressOfPerson(userId: number | null, reader: AuditReader): string | null {
  if (userId === null) return null;
  if (atLeast(reader.role, "department_admin")) return `/dashboard/admin/users/${userId}`;
  return userId === reader.userId ? "/dashboard/settings" : null;
}

function addressOfOrganisation(kind: "organisation" | "department", id: string, { role }: AuditReader): string | null {
  if (kind === "organisation" && atLeast(role, "platform_admin")) return `/dashboard/admin/organisations/${id}`;
  return role === "org_admin" ? "/dashboard/admin/organisation" : null;
}

/** Pages of those who run the installation. */
const OF_PLATFORM: Readonly<Record<string, string>> = {
  price: "/dashboard/admin/models",
  supplier: "/dashboard/admin/models",
  job: "/dashboard/admin/jobs",
  hold: "/dashboard/admin/billing/reconcile/$id",
  promotion: "/dashboard/admin/promotions/$id",
  auto_topup: "/dashboard/admin/billing",
};
