import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { currentLegalVersion } from "~/legal/index.server";
import { type Account, findAccountByEmail, findAccountById, insertAccount } from "../account-store";
import { acceptLegal } from "../legal";
import { newToken, tokenHash } from "../links/one-time-token";
import { deleteSignUps, findToken, insertToken, newestSignUp, redeemToken, renewToken } from "../links/token-store";
import { requireStrongPassword } from "../passwords/new-password";
import { hashPassword, verifyPassword } from "../passwords/password";
import { rateLimitEmail, rateLimitSignInLink } from "../sign-in/throttle";

const SIGN_UP_SECONDS = 24 * 3600;

export type SignUp = {
  email: string;
  name: string;
  organisation: string;
  password: string;
  language: string;
  address: string;
  /**
   * A secret of the browser that signs up. In that browser the link suffices; in another one the password is required.
   */
  browser: string;
  /** The reseller of the portal; null: the operator. */
  resellerId: number | null;
};

/** A pending sign-up. It exists only in its link, so unconfirmed people own no rows. */
const Waiting = z.object({
  email: z.string(),
  name: z.string(),
  organisation: z.string(),
  passwordHash: z.string(),
  language: z.string(),
  address: z.string(),
  browserHash: z.string(),
  termsVersion: z.string(),
  resellerId: z.number().nullable(),
});
export type WaitingSignUp = Pick<
  z.infer<typeof Waiting>,
  "email" | "name" | "organisation" | "language" | "passwordHash" | "address" | "resellerId"
>;

export type SignUpEmail =
  | { kind: "confirm"; token: string; validSeconds: number; email: string; name: string; language: string }
  | { kind: "exists"; email: string; name: string; language: string | null };

/**
 * Accepts a sign-up and returns the email to its address: the link that confirms it or, when the address already has an
 * account, a notice of that. The requester cannot tell the two apart, because the caller answers both the same. The
 * person has accepted the current terms. The browser keeps `passwordHash`, sealed. Only this lets its next sign-in
 * report an unconfirmed address, without a look-up of the address in the database.
 * @throws AppError weak_password, rate_limit_exceeded
 */
export async function requestSignUp(db: Db, signUp: SignUp): Promise<{ email: SignUpEmail; passwordHash: string }> {
  const { email, name, address } = signUp;
  requireStrongPassword(signUp.password, email);
  await rateLimitEmail(db, { account: email, address, own: null });
  const passwordHash = await hashPassword(signUp.password);
  const account = await findAccountByEmail(db, email);
  if (account !== null) {
    return { email: { kind: "exists", email, name: account.name, language: account.language }, passwordHash };
  }
  const token = newToken();
  const waiting: z.infer<typeof Waiting> = {
    email,
    name,
    organisation: signUp.organisation,
    passwordHash,
    language: signUp.language,
    address,
    browserHash: hashText(signUp.browser),
    termsVersion: currentLegalVersion(),
    resellerId: signUp.resellerId,
  };
  await insertToken(db, { purpose: "sign_up", token, userId: null, payload: waiting, validSeconds: SIGN_UP_SECONDS });
  const { language } = signUp;
  return { email: { kind: "confirm", token, validSeconds: SIGN_UP_SECONDS, email, name, language }, passwordHash };
}

/**
 * Returns a new link for the newest sign-up of an address; null when there is none, which the caller does not reveal.
 * @throws AppError rate_limit_exceeded
 */
export async function renewSignUp(
  db: Db,
  request: { email: string; address: string },
): Promise<Extract<SignUpEmail, { kind: "confirm" }> | null> {
  await rateLimitEmail(db, { account: request.email, address: request.address, own: null });
  const latest = await newestSignUp(db, request.email);
  const waiting = latest && Waiting.safeParse(latest.payload);
  if (!latest || !waiting?.success) return null;
  const token = newToken();
  await renewToken(db, latest.id, token, SIGN_UP_SECONDS);
  const { email, name, language } = waiting.data;
  return { kind: "confirm", token, validSeconds: SIGN_UP_SECONDS, email, name, language };
}

/** Returns the data for the page of a confirmation link; null when the link cannot be used. */
export async function findSignUp(
  db: Db,
  token: string,
  browser: string | null,
): Promise<{ email: string; needsPassword: boolean } | null> {
  const waiting = readWaiting(await findToken(db, "sign_up", token));
  return waiting && { email: waiting.email, needsPassword: !isSameBrowser(waiting, browser) };
}

/**
 * Verifies that a sign-up belongs to the visitor: by the browser that it was made in, otherwise by its password. Null
 * when the link cannot be used. This keeps a person from confirming an account that a stranger opened with their
 * address.
 * @throws AppError invalid_credentials, rate_limit_exceeded
 */
export async function proveSignUp(
  db: Db,
  token: string,
  proof: { browser: string | null; password?: string },
): Promise<WaitingSignUp | null> {
  const waiting = readWaiting(await findToken(db, "sign_up", token));
  if (waiting === null) return null;
  if (!isSameBrowser(waiting, proof.browser)) {
    await rateLimitSignInLink(db, token);
    const proven = await verifyPassword(waiting.passwordHash, proof.password ?? "");
    if (!proven) {
      throw apiError("invalid_credentials", { key: "problems:signUpPassword", param: "password" });
    }
  }
  return waiting;
}

/**
 * Redeems the link of a proven sign-up; of concurrent requests one succeeds. Returns false when it was redeemed in the
 * meantime. `tx` is the transaction that creates the account.
 */
export async function redeemSignUp(tx: Db, token: string, waiting: Pick<WaitingSignUp, "email">): Promise<boolean> {
  if ((await redeemToken(tx, "sign_up", token)) === null) return false;
  await deleteSignUps(tx, waiting.email);
  return true;
}

/**
 * Creates the account of a person whose address is proven and who has accepted the current terms, as administrator of
 * the organisation they create. `tx` is the transaction that creates the organisation.
 * @throws AppError email_taken: only to a person who has proven that the address is theirs.
 */
export async function createFirstMember(
  tx: Db,
  firstMember: {
    email: string;
    name: string;
    organisationId: number;
    passwordHash: string | null;
    language: string | null;
    address: string;
  },
): Promise<Account> {
  const { email, organisationId, address } = firstMember;
  const inserted = await insertAccount(tx, { ...firstMember, role: "org_admin" });
  if (inserted === "email_taken") throw apiError("email_taken");
  await acceptLegal(tx, { userId: inserted.id, address });
  await recordAuditEvent(tx, {
    by: { userId: inserted.id, label: email, address },
    action: "user.sign_up",
    target: { kind: "user", id: inserted.id, label: email },
    organisationId,
    subjectUserId: inserted.id,
  });
  return (await findAccountById(tx, inserted.id)) as Account;
}

function readWaiting(row: { payload: unknown } | null): z.infer<typeof Waiting> | null {
  return row && (Waiting.safeParse(row.payload).data ?? null);
}

const isSameBrowser = ({ browserHash }: { browserHash: string }, browser: string | null): boolean =>
  browser !== null && hashText(browser) === browserHash;

const hashText = (text: string): string => Buffer.from(tokenHash(text)).toString("base64url");
