import { languageOf } from "~/access/language.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { safeNext } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { newToken, requestSignUp } from "~/domain/accounts/index.server";
import { RegisterForm } from "~/domain/accounts/shared";
import { clientAddressContext } from "~/http/server/client-address";
import { inEvenTime } from "../flow/even-time.server";
import { signUpCookie } from "../flow/journey-cookies.server";
import { requireOpenSignUp, requirePasswords, termsNotAccepted } from "../flow/policy.server";
import { sendSignUpEmail } from "../flow/sign-up-email.server";

const MIN_MS = 400;

/** Starts a sign-up with email and password. The answer is the same for an address that already has an account. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/signup",
  POST: {
    body: RegisterForm,
    async run({ body, request, context }) {
      requirePasswords();
      requireOpenSignUp();
      if (!body.accept_terms) throw termsNotAccepted();
      const { email, name, organisation = "", password } = body;
      const portal = await portalOf(request);
      const browser = signUpCookie.read(request)?.browser ?? newToken();
      const passwordHash = await inEvenTime(MIN_MS, async () => {
        const signUp = await requestSignUp(db(), {
          email,
          name,
          organisation,
          password,
          browser,
          language: languageOf(context),
          address: context.get(clientAddressContext),
          resellerId: portal.resellerId,
        });
        await sendSignUpEmail(db(), signUp.email, portal, languageOf(context));
        return signUp.passwordHash;
      });
      const next = body.next === undefined ? null : safeNext(body.next, "/dashboard");
      return done({
        to: "/verify-email",
        cookies: [signUpCookie.set({ browser, email, next, passwordHash })],
        answer: { email, next: "/verify-email" },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
