import { type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import { atLeast, type Role, type Standing } from "~/domain/identity/shared";
import { type AppError, refusal } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { personOf, problemOfStanding } from "./actor.server";
import { wantsJson } from "./wants-json";

/**
 * Lets only people through who are signed in and may go on. Browsers are sent to the page that helps: signing in, the
 * terms, or why the account is closed; clients that ask for JSON get the code.
 */
export const signedIn: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const hurdle = hurdleOf(context, url);
  if (hurdle === null) return next();
  if (wantsJson(request)) return portalErrorResponse(hurdle.problem);
  throw redirect(hurdle.page, 303);
};

/** Lets only people of at least this rank through; others get 403. Stands below `signedIn`. */
export function adminOnly(role: Role): MiddlewareFunction<Response> {
  return async ({ request, context }, next) => {
    const person = personOf(context);
    if (person !== null && atLeast(person.actor.role, role)) return next();
    const answer = portalErrorResponse(refusal("forbidden"));
    if (wantsJson(request)) return answer;
    throw answer;
  };
}

/** What stands between a request and the dashboard: the code for programs, the page for people. Null: nothing. */
export function hurdleOf(
  context: Readonly<RouterContextProvider>,
  url: URL,
): { problem: AppError; page: string } | null {
  const person = personOf(context);
  const here = encodeURIComponent(url.pathname + url.search);
  if (person === null) return { problem: refusal("authentication_required"), page: `/login?next=${here}` };
  const problem = problemOfStanding(person.standing);
  return problem === null ? null : { problem, page: pageOfStanding(person.standing, here) };
}

/** The page on which somebody who is signed in proves who they are; it leads on to `next`. */
export const confirmPage = (next: string): string => `/account/confirm?next=${encodeURIComponent(next)}`;

function pageOfStanding(standing: Standing, next: string): string {
  if (standing === "unverified") return "/verify-email";
  if (standing === "terms") return `/account/terms?next=${next}`;
  return standing === "suspended" ? "/account/suspended" : "/account/archived";
}
