import type { RouterContextProvider } from "react-router";
import { AppError, refusal, toAppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { isDatabaseAway } from "~/http/database-problem";
import { fieldsToFillIn } from "~/http/parse-form";
import { ValidationProblem } from "~/http/validation-problem";
import { log } from "~/log.server";
import { flashCookie, redirectWith } from "./flash.server";
import { cameFrom } from "./safe-next";
import { confirmPage, hurdleOf } from "./signed-in.server";
import { wantsJson } from "./wants-json";

type Failed = {
  request: Request;
  url: URL;
  context: Readonly<RouterContextProvider>;
  /** What the form held, for filling it in again. */
  sent: Readonly<Record<string, unknown>>;
  /** The page with the form, when the browser does not say where it came from. */
  page?: string;
};

/**
 * The answer to what an endpoint of the portal threw. Programs, and browsers that only read, get the body with its status;
 * a browser's form goes back to the page it came from, which finds the messages by `refusedFormOf` and `toastOf`.
 */
export function answerToProblem(problem: unknown, failed: Failed): Response {
  const { request, url, context } = failed;
  if (problem instanceof Response) return problem;
  const error = known(problem, request, url);
  if (wantsJson(request) || request.method === "GET" || request.method === "HEAD") return bodyOf(error);
  const hurdle = hurdleIn(error, context, url);
  if (hurdle !== null) return redirectWith(hurdle, []);
  const back = cameFrom(request, failed.page ?? "/dashboard");
  // Whoever may go on and still has to authenticate lacks a recent proof of who they are.
  if (error.code === "authentication_required") return redirectWith(confirmPage(back), []);
  const form = {
    action: url.pathname,
    code: error.code,
    message: error.humanMessage,
    fields: fieldsOf(error),
    sent: fieldsToFillIn(failed.sent),
  };
  const toast = { kind: "bad" as const, text: error.humanMessage };
  return redirectWith(back, [flashCookie("form", form), flashCookie("toast", toast)]);
}

function known(problem: unknown, request: Request, url: URL): AppError {
  if (problem instanceof AppError) return problem;
  const path = url.pathname.replace(/[^/]{30,}/g, "…");
  log.error({ err: problem, method: request.method, path }, "an endpoint of the portal failed");
  return isDatabaseAway(problem) ? refusal("service_unavailable", { cause: problem }) : toAppError(problem);
}

function bodyOf(error: AppError): Response {
  return portalErrorResponse(error, error instanceof ValidationProblem ? { detail: error.detail } : undefined);
}

/** The page for somebody who would have to sign in or accept something first. */
function hurdleIn(error: AppError, context: Failed["context"], url: URL): string | null {
  const aboutTheSession = ["authentication_required", "account_status", "tos_not_accepted", "email_not_verified"];
  if (!aboutTheSession.includes(error.code)) return null;
  const hurdle = hurdleOf(context, new URL("/dashboard", url));
  return hurdle !== null && hurdle.problem.code === error.code ? hurdle.page : null;
}

function fieldsOf(error: AppError): Record<string, string> {
  if (!(error instanceof ValidationProblem)) return error.param === null ? {} : { [error.param]: error.humanMessage };
  return Object.fromEntries(error.detail.map(({ loc, msg }) => [String(loc[1] ?? "form"), msg]).toReversed());
}
