import type { AuditAction, NewAuditEvent } from "~/domain/activity/shared";
import { formatUsd } from "~/values/money";
import type { KeyAuthor } from "./authors";
import type { KeyView } from "./key";
import { settingValues } from "./settings";

type Settings = Readonly<Record<string, unknown>>;

/** The settings of a key as the audit log shows them: with the names of the management API, without any secret. */
export function auditedSettings(key: KeyView): Settings {
  const limit = key.budget?.limitNanoUsd ?? null;
  return {
    name: key.name,
    kind: key.kind,
    status: key.status,
    ...settingValues(key),
    budget_limit: limit === null ? null : formatUsd(limit),
    budget_period: key.budget?.period ?? null,
    project_id: key.projectId,
  };
}

/**
 * Returns the audit events for the difference between two views of a key; a change of status is a separate event. Empty
 * when nothing changed.
 */
export function changedSettings(
  before: KeyView,
  after: KeyView,
): { action: AuditAction; before: Settings; after: Settings }[] {
  const [old, fresh] = [auditedSettings(before), auditedSettings(after)];
  const changed = Object.keys(fresh).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]));
  const pick = (from: Settings, names: string[]) => Object.fromEntries(names.map((name) => [name, from[name]]));
  // "expired" follows from the date. Only explicit settings are events.
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

/** Records an audit event on a key, with the parts that all of them share: author, target and owner. */
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
