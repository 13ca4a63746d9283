import { flashCookie, redirectWith } from "~/access/flash.server";
import { errorResponse } from "~/access/portal/answer-to-problem.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { safeNext } from "~/access/safe-next";
import { signInByPassword } from "~/access/sign-in/authenticator.server";
import { wantsJson } from "~/access/wants-json";
import { newToken } from "~/domain/accounts/index.server";
import { LoginForm } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { keyOfCode } from "~/errors/code-words";
import { issue } from "~/errors/message";
import { clientAddressContext } from "~/http/server/client-address";
import { unreachable } from "~/values/unreachable";
import { signInCookie, signUpCookie } from "../flow/journey-cookies.server";
import { mailSignInLink } from "../flow/mail-sign-in-link.server";
import { requirePasswords } from "../flow/policy.server";
import { signInPerson } from "../flow/sign-in-person.server";

/** Signs in with email and password. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/login",
  POST: {
    body: LoginForm,
    async run({ body, request, context }) {
      requirePasswords();
      const portal = await portalOf(request);
      const next = safeNext(body.next, "/dashboard");
      const signUp = signUpCookie.read(request);
      const { email, password } = body;
      const address = context.get(clientAddressContext);
      const outcome = await signInByPassword(request, { email, password, address, signUp });
      switch (outcome.kind) {
        case "invalid":
          throw apiError("invalid_credentials");
        case "unverified":
          return elsewhere({
            request,
            page: "/verify-email",
            problem: apiError("email_not_verified"),
            email: outcome.email,
          });
        case "closed":
          return elsewhere({
            request,
            page: `/account/${outcome.status}`,
            problem: apiError("account_status"),
            email: body.email,
          });
        case "locked": {
          const browser = signInCookie.read(request)?.browser ?? newToken();
          if (outcome.proven !== null) mailSignInLink({ request, context }, outcome.proven, { browser, portal });
          const url = new URL(request.url);
          const answer = errorResponse(locked(outcome.waitSeconds), {
            request,
            url,
            context,
            sent: body,
            page: "/login",
          });
          answer.headers.append("set-cookie", signInCookie.set({ browser, next }));
          return answer;
        }
        case "ready": {
          const cookies = await signInPerson({ request, context }, outcome.account);
          // The sign-up's address is confirmed, perhaps in another browser.
          if (signUp?.email === body.email) cookies.push(signUpCookie.clear());
          return done({ to: next, cookies, answer: { next } });
        }
        default:
          return unreachable(outcome);
      }
    },
  },
});
export const loader = endpoint;
export const action = endpoint;

/** The same answer for right and wrong passwords, and for addresses without an account. */
const locked = (waitSeconds: number) =>
  apiError("rate_limit_exceeded", {
    key: "problems:tooManyAttemptsMailed",
    retryAfterSeconds: waitSeconds,
  });

/** Redirects a browser to the page with the next step, and fills in the address there. */
function elsewhere({
  request,
  page,
  problem,
  email,
}: {
  request: Request;
  page: string;
  problem: ReturnType<typeof apiError>;
  email: string;
}): Response {
  if (wantsJson(request)) throw problem;
  const form = {
    action: "/auth/resend-verification",
    code: problem.code,
    message: issue(keyOfCode(problem.catalogueCode)),
    fields: {},
    sent: { email },
  };
  return redirectWith(page, [flashCookie("form", form)]);
}
