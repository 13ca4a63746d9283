import type { AuditAction } from "./actions";

export { AUDIT_ACTIONS, type AuditAction } from "./actions";

/** What somebody did. `before` and `after` hold the fields that changed, never a secret. */
export type NewAuditEvent = {
  /** Who did it: a person, or what `label` says (an admin key, a job, the operator at the terminal). */
  by: { userId: number | null; label: string; address?: string };
  /** Such as "key.rotate" or "user.role". */
  action: AuditAction;
  target: { kind: string; id: string | number; label?: string };
  /** Whose things were touched; they decide who may read it. */
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

/** What a reader may see, and what they look for. Everything that is given must hold. */
export type AuditEventFilter = {
  organisationId?: number;
  departmentId?: number;
  /** Acts by this person, or about them. */
  userId?: number;
  actorId?: number;
  action?: string;
  targetKind?: string;
  targetId?: string;
  since?: Date;
  until?: Date;
  /** Acts older than this one. */
  beforeId?: bigint;
  limit: number;
};
