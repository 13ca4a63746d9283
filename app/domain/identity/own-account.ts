import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { requireStrongPassword } from "./new-password";
import {
  changeOwnRow,
  deleteIdentity,
  findOwnAccount,
  findPreferences,
  hasSeveralPeople,
  lockOwnRow,
} from "./own-account-store";
import { hashPassword } from "./password";
import { isPasswordOf } from "./prove-again";
import { deleteSessionsOf } from "./session-store";
import { type Actor, authorOf, type Onboarding, OnboardingField, type OwnAccount } from "./shared";
import { endTokens } from "./token-store";

/** What a person sees of their own account. */
export async function readOwnAccount(db: Db, actor: Actor): Promise<OwnAccount> {
  const { passwordHash, externalIdentities, legalAcceptances, onboarding, ...account } = await findOwnAccount(
    db,
    actor.userId,
  );
  return {
    email: account.email,
    name: account.name,
    role: actor.role,
    organisation: account.organisation.name,
    department: account.department?.name ?? null,
    language: account.language,
    timeZone: account.timeZone,
    hasPassword: passwordHash !== null,
    verifiedAt: account.emailVerifiedAt,
    createdAt: account.createdAt,
    identities: externalIdentities,
    acceptances: legalAcceptances,
    onboarding: onboardingOf(onboarding),
  };
}

/** The name that others see. Safe to repeat. */
export function changeDisplayName(db: Db, actor: Actor, name: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await findOwnAccount(tx, actor.userId);
    if (before.name === name) return;
    await changeOwnRow(tx, actor.userId, { name });
    await recordAuditEvent(tx, {
      ...aboutOneself(actor),
      action: "user.name",
      before: { name: before.name },
      after: { name },
    });
  });
}

/** Language and time zone of the portal and of emails; null: whatever the browser asks for, and UTC. Safe to repeat. */
export const changePreferences = (
  db: Db,
  actor: Actor,
  preferences: { language?: string | null; timeZone?: string | null },
): Promise<void> => changeOwnRow(db, actor.userId, preferences);

/**
 * Gives the actor a new password and signs them out everywhere else; links for a new password end. Returns how many other
 * sessions that ended, and whether it was the first password. Somebody who signs in through a provider only has no old one to
 * name: `requireProof` throws unless they have proven a short time ago who they are.
 * @throws AppError weak_password; invalid_credentials when `current` is not the password of before; rate_limit_exceeded.
 */
export async function changePassword(
  db: Db,
  actor: Actor,
  passwords: { current: string; fresh: string },
  requireProof: () => void,
): Promise<{ sessionsEnded: number; first: boolean }> {
  requireStrongPassword(passwords.fresh, undefined, "new_password");
  const { passwordHash } = await findOwnAccount(db, actor.userId);
  if (passwordHash === null) requireProof();
  if (passwordHash !== null && !(await isPasswordOf(db, actor, passwords.current))) {
    throw apiError("invalid_credentials", { key: "rejections:currentPassword", param: "current_password" });
  }
  const fresh = await hashPassword(passwords.fresh);
  return inTransaction(db, async (tx) => {
    await changeOwnRow(tx, actor.userId, { passwordHash: fresh });
    await endTokens(tx, "reset", actor.userId);
    await endTokens(tx, "sign_in", actor.userId);
    await recordAuditEvent(tx, { ...aboutOneself(actor), action: "user.password" });
    return { sessionsEnded: await deleteSessionsOf(tx, actor.userId, actor.sessionId), first: passwordHash === null };
  });
}

/**
 * Takes away a way to sign in. Safe to repeat: what is not there is not_found.
 * @throws AppError not_found; conflict when nothing would be left to sign in with.
 */
export function unlinkIdentity(db: Db, actor: Actor, id: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockOwnRow(tx, actor.userId);
    const { passwordHash, externalIdentities } = await findOwnAccount(tx, actor.userId);
    const identity = externalIdentities.find((each) => each.id === id);
    if (identity === undefined) throw apiError("not_found", { key: "rejections:noLinkedAccount" });
    if (passwordHash === null && externalIdentities.length === 1) {
      throw apiError("conflict", { key: "rejections:onlyWayToSignIn" });
    }
    await deleteIdentity(tx, actor.userId, id);
    const { provider, email } = identity;
    await recordAuditEvent(tx, { ...aboutOneself(actor), action: "user.unlink", before: { provider, email } });
  });
}

/** Where the actor's clocks are (null: nobody has said), and what they have said about the first steps. */
export async function readPreferences(
  db: Db,
  actor: Actor,
): Promise<{ timeZone: string | null; onboarding: Onboarding }> {
  const { timeZone, onboarding } = await findPreferences(db, actor.userId);
  return { timeZone, onboarding: onboardingOf(onboarding) };
}

/** Changes what is remembered about the first steps. Of two at once both count. */
export function changeOnboarding(
  db: Db,
  actor: Actor,
  change: (before: Onboarding) => Onboarding,
): Promise<Onboarding> {
  return inTransaction(db, async (tx) => {
    await lockOwnRow(tx, actor.userId);
    const onboarding = change((await readPreferences(tx, actor)).onboarding);
    await changeOwnRow(tx, actor.userId, { onboarding });
    return onboarding;
  });
}

const onboardingOf = (stored: unknown): Onboarding => OnboardingField.catch({ hidden: false, done: [] }).parse(stored);

const aboutOneself = (actor: Actor) => ({
  by: authorOf(actor),
  target: { kind: "user", id: actor.userId, label: actor.email },
  organisationId: actor.organisationId,
  departmentId: actor.departmentId,
  subjectUserId: actor.userId,
});

/** Whether the actor is not alone in their organisation. */
export const hasCompany = (db: Db, actor: Actor): Promise<boolean> => hasSeveralPeople(db, actor.organisationId);
