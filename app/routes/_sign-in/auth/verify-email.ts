import { secretCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { proveSignUp, redeemSignUp } from "~/domain/accounts/index.server";
import { VerifyForm } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { signUpCookie } from "../flow/journey-cookies.server";
import { openAccount } from "../flow/open-account.server";
import { signInPerson } from "../flow/sign-in-person.server";

/** Confirms the address of a sign-up, creates its account and signs the person in. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/verify-email",
  POST: {
    body: VerifyForm,
    async run({ body, request, context }) {
      const here = signUpCookie.read(request);
      const proof = { browser: here?.browser ?? null, password: body.password };
      const waiting = await proveSignUp(db(), body.token, proof);
      if (waiting === null) throw linkNotUsable();
      const opened = await inTransaction(db(), async (tx) => {
        if (!(await redeemSignUp(tx, body.token, waiting))) throw linkNotUsable();
        return openAccount(tx, waiting);
      });
      const cookies = await signInPerson({ request, context }, opened.account);
      const secret = secretCookie({ kind: "rootAdminKey", secret: opened.rootAdminKey, userId: opened.account.id });
      const next = here?.next ?? "/dashboard/get-started";
      return done({
        to: next,
        toast: "signIn:verify.confirmed",
        cookies: [...cookies, signUpCookie.clear(), secret],
        answer: { next, root_admin_key: opened.rootAdminKey },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;

const linkNotUsable = () =>
  apiError("invalid_token", {
    key: "problems:confirmationEnded",
    param: "token",
  });
