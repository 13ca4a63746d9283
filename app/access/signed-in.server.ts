import { type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import type { AccountState } from "~/domain/accounts/shared";
import { type AppError, apiError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { readFields } from "~/http/body/read-fields";
import { errorOfAccountState, personOf } from "./actor.server";
import { heldBack, heldBackSignedOut, rememberPerson } from "./held-back.server";
import { cameFrom } from "./safe-next";
import { wantsJson } from "./wants-json";

/**
 * Passes only requests of signed-in people without a pending step. Redirects browsers to the page of that step:
 * sign-in, terms, or the reason of a closed account. Clients that request JSON get the code. The input of a form is
 * saved.
 */
export const signedIn: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const changes = request.method !== "GET" && request.method !== "HEAD";
  const here = changes ? new URL(cameFrom(request, url.pathname + url.search), url) : url;
  const pendingStep = pendingStepOf(context, here);
  const person = personOf(context);
  if (pendingStep === null) {
    const response = await next();
    if (person !== null) rememberPerson(request, response, person.actor.userId);
    return response;
  }
  if (wantsJson(request)) return portalErrorResponse(pendingStep.problem);
  if (!changes) throw redirect(pendingStep.page, 303);
  if (person === null) throw await heldBackSignedOut({ request, url, to: pendingStep.page });
  const sent = await readFields(request).catch(() => ({}));
  throw heldBack({ request, url, userId: person.actor.userId, sent, to: pendingStep.page });
};

/**
 * Returns the step that a person must complete before using the dashboard: the code for programs, the page for people.
 * Null: none.
 */
export function pendingStepOf(
  context: Readonly<RouterContextProvider>,
  url: URL,
): { problem: AppError; page: string } | null {
  const person = personOf(context);
  const here = encodeURIComponent(url.pathname + url.search);
  if (person === null) return { problem: apiError("authentication_required"), page: `/login?next=${here}` };
  const error = errorOfAccountState(person.accountState);
  return error === null ? null : { problem: error, page: pageOfAccountState(person.accountState, here) };
}

/** Returns the page on which a signed-in person confirms their identity; it continues to `next`. */
export const confirmPage = (next: string): string => `/account/confirm?next=${encodeURIComponent(next)}`;

function pageOfAccountState(accountState: AccountState, next: string): string {
  if (accountState === "unverified") return "/verify-email";
  if (accountState === "terms") return `/account/terms?next=${next}`;
  return accountState === "suspended" ? "/account/suspended" : "/account/archived";
}
