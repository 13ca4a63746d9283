import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { lockPerson } from "../account-store";
import { endTokens } from "../links/token-store";
import { requireStrongPassword } from "../passwords/new-password";
import { hashPassword } from "../passwords/password";
import { recordAboutSelf } from "../record-about";
import { deleteSessionsOf } from "../sessions/session-store";
import { type Actor, type Onboarding, OnboardingField, type OwnAccount } from "../shared";
import { changeOwnRow, deleteIdentity, findOwnAccount, findPreferences, hasSeveralPeople } from "./own-account-store";
import { isPasswordOf } from "./prove-again";

/** Returns a person's view of their own account. */
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

/** Changes the actor's display name. Safe to repeat. */
export function changeDisplayName(db: Db, actor: Actor, name: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await findOwnAccount(tx, actor.userId);
    if (before.name === name) return;
    await changeOwnRow(tx, actor.userId, { name });
    await recordAboutSelf(tx, actor, {
      action: "user.name",
      before: { name: before.name },
      after: { name },
    });
  });
}

/**
 * Changes the language and time zone of the portal and of emails; null: the browser's language, and UTC. Safe to
 * repeat.
 */
export const changePreferences = (
  db: Db,
  actor: Actor,
  preferences: { language?: string | null; timeZone?: string | null },
): Promise<void> => changeOwnRow(db, actor.userId, preferences);

/**
 * Sets the actor's password and signs them out everywhere else; password reset links end. Returns the number of ended
 * sessions, and whether it was the first password. A person who only signs in through a provider has no current
 * password: `requireProof` throws unless they proved their identity recently.
 * @throws AppError weak_password; invalid_credentials when `current` is not the current password; rate_limit_exceeded.
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
    await recordAboutSelf(tx, actor, { action: "user.password" });
    return { sessionsEnded: await deleteSessionsOf(tx, actor.userId, actor.sessionId), first: passwordHash === null };
  });
}

/**
 * Removes a way to sign in. Repeating it throws not_found.
 * @throws AppError not_found; conflict when no way to sign in would remain.
 */
export function unlinkIdentity(db: Db, actor: Actor, id: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockPerson(tx, actor.userId);
    const { passwordHash, externalIdentities } = await findOwnAccount(tx, actor.userId);
    const identity = externalIdentities.find((each) => each.id === id);
    if (identity === undefined) throw apiError("not_found", { key: "rejections:noLinkedAccount" });
    if (passwordHash === null && externalIdentities.length === 1) {
      throw apiError("conflict", { key: "rejections:onlyWayToSignIn" });
    }
    await deleteIdentity(tx, actor.userId, id);
    const { provider, email } = identity;
    await recordAboutSelf(tx, actor, { action: "user.unlink", before: { provider, email } });
  });
}

/** Returns the actor's time zone (null: not set) and the state of their get-started page. */
export async function readPreferences(
  db: Db,
  actor: Actor,
): Promise<{ timeZone: string | null; onboarding: Onboarding }> {
  const { timeZone, onboarding } = await findPreferences(db, actor.userId);
  return { timeZone, onboarding: onboardingOf(onboarding) };
}

/** Changes the state of the get-started page. Concurrent changes are both applied. */
export function changeOnboarding(
  db: Db,
  actor: Actor,
  change: (before: Onboarding) => Onboarding,
): Promise<Onboarding> {
  return inTransaction(db, async (tx) => {
    await lockPerson(tx, actor.userId);
    const onboarding = change((await readPreferences(tx, actor)).onboarding);
    await changeOwnRow(tx, actor.userId, { onboarding });
    return onboarding;
  });
}

const onboardingOf = (stored: unknown): Onboarding => OnboardingField.catch({ hidden: false, done: [] }).parse(stored);

/** Returns whether the actor's organisation has other active people. */
export const hasCompany = (db: Db, actor: Actor): Promise<boolean> => hasSeveralPeople(db, actor.organisationId);
