import type { AuditAction, NewAuditEvent } from "~/domain/activity/shared";
import { formatUsd } from "~/money";
import type { KeyAuthor } from "./authors";
import type { KeyView } from "./key";

type Settings = Readonly<Record<string, unknown>>;

/** What people set on a key, as the audit log shows it: in the words of the management API, without any secret. */
export function settingsOf(key: KeyView): Settings {
  const limit = key.budget?.limitNanoUsd ?? null;
  return {
    name: key.name,
    kind: key.kind,
    status: key.status,
    allowed_models: key.allowedModels,
    allowed_regions: key.allowedRegions,
    allowed_origins: key.allowedOrigins,
    budget_limit: limit === null ? null : formatUsd(limit),
    budget_period: key.budget?.period ?? null,
    rate_limit_rpm: key.rateLimitRpm,
    metadata: key.metadata,
    expires_at: key.expiresAt?.toISOString() ?? null,
    project_id: key.projectId,
  };
}

/** The acts that lie between two views of a key: a change of status is one of its own. None when nothing changed. */
export function changedSettings(
  before: KeyView,
  after: KeyView,
): { action: AuditAction; before: Settings; after: Settings }[] {
  const [old, fresh] = [settingsOf(before), settingsOf(after)];
  const changed = Object.keys(fresh).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]));
  const pick = (from: Settings, names: string[]) => Object.fromEntries(names.map((name) => [name, from[name]]));
  // "expired" follows from the date; only what was set is an act.
  const wasSuspended = before.status === "suspended";
  const isSuspended = after.status === "suspended";
  const others = changed.filter((name) => name !== "status");
  return [
    ...(wasSuspended === isSuspended
      ? []
      : [
          {
            action: isSuspended ? ("key.suspend" as const) : ("key.resume" as const),
            before: pick(old, ["status"]),
            after: pick(fresh, ["status"]),
          },
        ]),
    ...(others.length === 0
      ? []
      : [{ action: "key.update" as const, before: pick(old, others), after: pick(fresh, others) }]),
  ];
}

/** What every act on a key has in common: its author, its target, and whose things were touched. */
export function recordKeyEvent(
  key: {
    id: number;
    name: string;
    organisationId: number;
    departmentId: number | null;
    userId: number | null;
  },
  by: KeyAuthor,
): Pick<NewAuditEvent, "by" | "target" | "organisationId" | "departmentId" | "subjectUserId"> {
  return {
    by,
    target: { kind: "key", id: key.id, label: key.name },
    organisationId: key.organisationId,
    departmentId: key.departmentId,
    subjectUserId: key.userId,
  };
}
