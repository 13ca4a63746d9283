import type { AuditAction } from "./actions";

export { AUDIT_ACTIONS, type AuditAction } from "./actions";

/** Maximum number of targets of one act on several. */
export const MOST_AT_ONCE = 100;

/** A new audit event. `before` and `after` contain the fields that changed, never a secret. */
export type NewAuditEvent = {
  /** The author: a person, or the actor that `label` names (an admin key, a job, the operator in a terminal). */
  by: { userId: number | null; label: string; address?: string };
  /** Such as "key.rotate" or "user.role". */
  action: AuditAction;
  target: { kind: string; id: string | number; label?: string };
  /** The organisation, department and person that the event concerns; they decide who may read it. */
  organisationId: number | null;
  departmentId?: number | null;
  subjectUserId?: number | null;
  before?: Readonly<Record<string, unknown>> | null;
  after?: Readonly<Record<string, unknown>> | null;
};

/** One audit event. */
export type AuditEventView = {
  id: bigint;
  at: Date;
  actorId: number | null;
  actorLabel: string;
  organisationId: number | null;
  action: string;
  targetKind: string;
  targetId: string;
  targetLabel: string;
  before: unknown;
  after: unknown;
  address: string;
};

/** An event of a known target, with what the target was before it. */
export type TargetEvent = Pick<AuditEventView, "id" | "action" | "before">;

/** The reader's scope and the requested filters. All that are present must match. */
export type AuditEventFilter = {
  organisationId?: number;
  departmentId?: number;
  /** Events caused by this person, or about them. */
  userId?: number;
  actorId?: number;
  action?: string;
  targetKind?: string;
  targetId?: string;
  since?: Date;
  until?: Date;
  /** Events before this one. */
  beforeId?: bigint;
  limit: number;
};
