import type { RouterContextProvider } from "react-router";
import { AppError, toAppError } from "~/errors/app-error";
import { errorMessage } from "~/errors/problem-words.server";
import { translateText } from "~/errors/say.server";
import { fieldsToFillIn } from "~/http/body/parse-form";
import { databaseError } from "~/http/database-error";
import type { HttpMethod } from "~/http/declaration";
import { ValidationError } from "~/http/validation-problem";
import type { Language } from "~/i18n/languages";
import { log } from "~/observe/log.server";
import { actorOf } from "../actor.server";
import { flashCookie, redirectWith } from "../flash.server";
import { heldBack } from "../held-back.server";
import { languageOf } from "../language.server";
import { cameFrom } from "../safe-next";
import { confirmPage, pendingStepOf } from "../signed-in.server";
import { wantsJson } from "../wants-json";
import { problemResponse } from "./door.server";

type Failed = {
  request: Request;
  url: URL;
  context: Readonly<RouterContextProvider>;
  /** Values of the form, for filling it in again. */
  sent: Readonly<Record<string, unknown>>;
  /** The page with the form, for browsers that send no Referer. */
  page?: string;
  /** Supported methods, for a request by another method. */
  methods?: readonly HttpMethod[];
};

/**
 * Returns the response to an error of a portal endpoint. Programs, and browsers that only read, get the error body with
 * its status. A browser's form is redirected to its page, which gets the messages from `refusedFormOf` and `toastOf`.
 */
export function errorResponse(problem: unknown, failed: Failed): Response {
  const { request, url, context } = failed;
  if (problem instanceof Response) return problem;
  const error = known(problem, request, url);
  if (wantsJson(request) || request.method === "GET" || request.method === "HEAD")
    return problemResponse(error, failed.methods);
  const pendingStep = pendingStepIn(error, context, url);
  if (pendingStep !== null) return redirectWith(pendingStep, []);
  const back = cameFrom(request, failed.page ?? "/dashboard");
  // An actor who must still authenticate lacks a recent proof of identity.
  const actor = actorOf(context);
  if (error.code === "authentication_required" && actor !== null)
    return heldBack({ request, url, userId: actor.userId, sent: failed.sent, to: confirmPage(back) });
  const language = languageOf(context);
  const message = errorMessage(error, language);
  const form = {
    action: url.pathname,
    code: error.code,
    message,
    fields: problemsByField(error, language),
    sent: fieldsToFillIn(failed.sent),
  };
  const toast = { kind: "bad" as const, text: message };
  return redirectWith(back, [flashCookie("form", form), flashCookie("toast", toast)]);
}

function known(error: unknown, request: Request, url: URL): AppError {
  if (error instanceof AppError) return error;
  const path = url.pathname.replace(/[^/]{30,}/g, "…");
  log.error({ err: error, method: request.method, path }, "an endpoint of the portal failed");
  return databaseError(error) ?? toAppError(error);
}

/** Returns the page for a person who must first sign in or accept something. */
function pendingStepIn(error: AppError, context: Failed["context"], url: URL): string | null {
  const aboutTheSession = ["authentication_required", "account_status", "tos_not_accepted", "email_not_verified"];
  if (!aboutTheSession.includes(error.code)) return null;
  const pendingStep = pendingStepOf(context, new URL("/dashboard", url));
  return pendingStep !== null && pendingStep.problem.code === error.code ? pendingStep.page : null;
}

/** Returns the messages of an error by field, in the reader's language; "form" is the form as a whole. */
export function problemsByField(error: AppError, language: Language): Record<string, string> {
  if (!(error instanceof ValidationError))
    return error.param === null ? {} : { [error.param]: errorMessage(error, language) };
  const messages = error.issues.map(({ loc, message }) => [String(loc[1] ?? "form"), translateText(message, language)]);
  // Of several messages for a field, the first one is used.
  return Object.fromEntries(messages.toReversed());
}
