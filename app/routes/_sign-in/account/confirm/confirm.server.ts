import { z } from "zod";
import { pageAction } from "~/access/portal/page-action.server";
import { safeNext } from "~/access/safe-next";
import { sessionCookie } from "~/access/session-cookie";
import { db } from "~/connection/db.server";
import { proveAgain } from "~/domain/accounts/index.server";
import { TypedPasswordField } from "~/domain/accounts/shared";
import { requirePasswords } from "../../flow/policy.server";

const ConfirmForm = z.object({ password: TypedPasswordField, next: z.string().max(2_000).optional() });

/** Verifies the password of the signed-in person as proof of identity, and returns to the page they came from. */
export const confirmByPassword = pageAction({ allow: "signed-in", body: ConfirmForm }, async ({ actor, body }) => {
  requirePasswords();
  const { token } = await proveAgain(db(), actor, body.password);
  return { to: safeNext(body.next, "/dashboard"), cookies: [sessionCookie(token)], toast: "signIn:confirm.done" };
});
