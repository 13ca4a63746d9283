import { atLeast, type Role } from "~/domain/accounts/shared";
import type { AuditEventView } from "~/domain/activity/shared";

/** The reader of the audit log, and names of people by id; people without a name are shown as recorded. */
export type AuditReader = { role: Role; userId: number; names?: Readonly<Record<number, string>> };

type Target = Pick<AuditEventView, "action" | "targetKind" | "targetId">;

/**
 * Returns the page of an event's target for this reader; null if the target no longer exists or has no page for this
 * role. The page itself makes the final access check.
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

/** Returns the page of a person: the settings for themselves, the person's page for administrators. */
export function addressOfPerson(userId: number | null, reader: AuditReader): string | null {
  if (userId === null) return null;
  if (atLeast(reader.role, "department_admin")) return `/dashboard/admin/users/${userId}`;
  return userId === reader.userId ? "/dashboard/settings" : null;
}

function addressOfOrganisation(kind: "organisation" | "department", id: string, { role }: AuditReader): string | null {
  if (kind === "organisation" && atLeast(role, "platform_admin")) return `/dashboard/admin/organisations/${id}`;
  return role === "org_admin" ? "/dashboard/admin/organisation" : null;
}

/** Pages of platform admins. */
const OF_PLATFORM: Readonly<Record<string, string>> = {
  price: "/dashboard/admin/models",
  supplier: "/dashboard/admin/models",
  job: "/dashboard/admin/jobs",
  hold: "/dashboard/admin/billing/reconcile/$id",
  promotion: "/dashboard/admin/promotions/$id",
  auto_topup: "/dashboard/admin/billing",
};
