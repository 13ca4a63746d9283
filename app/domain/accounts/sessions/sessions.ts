import type { Db } from "~/connection/db.server";
import { currentLegalVersion } from "~/legal/index.server";
import { newToken, tokenHash } from "../links/one-time-token";
import { type AccountState, type Actor, atLeast, type Role, type SessionView } from "../shared";
import { accountStateOf } from "./account-state";
import {
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  findSession,
  insertSession,
  markSeen,
  sessionsOf,
  updateAdminView,
} from "./session-store";

const MAX_USER_AGENT_LENGTH = 300;

/** The person of a session as of now, and whether they may use the portal. */
export type SignedInPerson = {
  actor: Omit<Actor, "address" | "language"> & { language: string | null };
  accountState: AccountState;
  /** Whether they signed in, or proved their identity, within the last 15 minutes. */
  recentlyProved: boolean;
};

/**
 * Signs a browser in: creates a session with a new token, whatever the browser had before, which prevents session
 * fixation. `provedAt`: when the person proved their identity, if not now. Returns the token for the cookie; it is not
 * stored.
 */
export async function startSession(
  db: Db,
  session: {
    userId: number;
    role: Role;
    userAgent: string;
    address: string;
    replaces?: string | null;
    provedAt?: Date | null;
  },
): Promise<{ token: string; sessionId: number }> {
  const { userId, role, address } = session;
  const token = newToken();
  if (session.replaces) await deleteSession(db, tokenHash(session.replaces));
  const { id } = await insertSession(db, {
    tokenHash: tokenHash(token),
    userId,
    adminMode: atLeast(role, "department_admin"),
    userAgent: session.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    address,
    provedAt: session.provedAt ?? null,
  });
  return { token, sessionId: id };
}

/**
 * Returns the person of a session's token; null when the session has ended: signed out, unused for 12 hours, or 14 days
 * old. Reads the database every time, so that a suspension, a new role or an ended session takes effect with the next
 * request.
 */
export async function personOfSession(db: Db, token: string): Promise<SignedInPerson | null> {
  const row = await findSession(db, tokenHash(token));
  if (row === null) return null;
  if (row.stale) await markSeen(db, row.id);
  const { userId, email, name, role, organisationId, departmentId, language } = row;
  return {
    actor: {
      userId,
      sessionId: row.id,
      email,
      name,
      role,
      organisationId,
      departmentId,
      adminMode: row.adminMode && atLeast(role, "department_admin"),
      adminOrganisationId: atLeast(role, "platform_admin") ? row.adminOrganisationId : null,
      language,
    },
    accountState: accountStateOf(row, currentLegalVersion()),
    recentlyProved: row.recentlyProved,
  };
}

/** Ends one session by its token. Safe to repeat. */
export async function endSession(db: Db, token: string): Promise<void> {
  await deleteSession(db, tokenHash(token));
}

/** Ends all sessions of a person, except the given one. Returns the number of ended sessions. */
export function endSessionsOf(db: Db, userId: number, except?: { sessionId: number }): Promise<number> {
  return deleteSessionsOf(db, userId, except?.sessionId ?? 0);
}

/** Ends one of the actor's own sessions. Returns false when they have no such session. */
export async function endOwnSession(db: Db, actor: Actor, sessionId: number): Promise<boolean> {
  return (await deleteSessionById(db, actor.userId, sessionId)) > 0;
}

/** Returns the browsers in which the actor is signed in, most recently used first. */
export async function listOwnSessions(db: Db, actor: Actor): Promise<SessionView[]> {
  const rows = await sessionsOf(db, actor.userId);
  return rows.map((row) => ({ ...row, current: row.id === actor.sessionId }));
}

/** Stores the admin view of this session. The caller has checked that the actor may use it. */
export function setAdminView(
  db: Db,
  actor: Actor,
  view: { adminMode: boolean; adminOrganisationId: number | null },
): Promise<void> {
  return updateAdminView(db, actor.sessionId, view);
}
