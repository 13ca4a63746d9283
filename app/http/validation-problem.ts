import type { z } from "zod";
import { AppError } from "~/errors/app-error";
import { errorEnvelope, errorHeaders, portalErrorBody } from "~/errors/envelope";
import { issue as message, messageOf } from "~/errors/message";
import { translateText } from "~/errors/say.server";
import { NO_SUCH_FIELD } from "./body/fields";

/** One invalid value for programs: its location, an English message, and an error type. */
export type ValidationDetail = { loc: (string | number)[]; msg: string; type: string };

/** The same before translation: `message` may contain a message key (`messageOf`). */
export type ValidationIssue = { loc: (string | number)[]; message: string; type: string };

/** Maximum entries in one response. */
const MAX_DETAILS = 20;
const MAX_NAME_LENGTH = 100;

/** A request with invalid values; answered with 422 and one entry per value. */
export class ValidationError extends AppError {
  readonly detail: readonly ValidationDetail[];

  constructor(readonly issues: readonly ValidationIssue[]) {
    const detail = issues.map(({ loc, message, type }) => ({ loc, msg: translateText(message, "en"), type }));
    const [first] = detail;
    super(
      "validation_error",
      first && {
        ...messageOf(issues[0]?.message ?? ""),
        userMessage: `${first.loc.slice(1).join(".") || "The request"}: ${sentence(first.msg)}`,
      },
    );
    this.detail = detail;
  }
}

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);

/**
 * Converts the error of a failed zod parse. `source`: the parsed part of the request, the first element of each `loc`.
 */
export function problemOf(error: z.ZodError, source: "body" | "query" | "path"): ValidationError {
  return new ValidationError(error.issues.flatMap((issue) => issuesOf(issue, source)).slice(0, MAX_DETAILS));
}

/**
 * Rejects query parameters with a NUL, which no column of the database can store.
 * @throws ValidationError
 */
export function requireNoNul(query: Readonly<Record<string, string | readonly string[]>>): void {
  const names = Object.keys(query).filter((name) => [query[name]].flat().some((value) => value?.includes("\0")));
  if (names.length === 0) return;
  throw new ValidationError(
    names.slice(0, MAX_DETAILS).map((name) => ({
      loc: ["query", name.slice(0, MAX_NAME_LENGTH)],
      message: message("problems:unsearchable"),
      type: "value_error",
    })),
  );
}

/**
 * Returns the 422 response. All validation bodies have the same fields (`detail`, `code`, `message`, `human_message`),
 * and the gateway's `error` envelope for API clients.
 */
export function validationResponse(error: ValidationError): Response {
  const body = { ...portalErrorBody(error, { detail: error.detail }), ...errorEnvelope(error) };
  return new Response(JSON.stringify(body), { status: error.status, headers: errorHeaders(error) });
}

function issuesOf(issue: z.core.$ZodIssue, source: string): ValidationIssue[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : published(String(part), source)));
  const loc = [source, ...path.map((part) => (typeof part === "number" ? part : part.slice(0, MAX_NAME_LENGTH)))];
  if (issue.code !== "unrecognized_keys") return [{ loc, message: issue.message, type: typeOf(issue) }];
  return issue.keys.slice(0, MAX_DETAILS).map((key) => ({
    loc: [...loc, key.slice(0, MAX_NAME_LENGTH)],
    message: NO_SUCH_FIELD,
    type: "extra_forbidden",
  }));
}

/** Public names of path parameters are in snake case. */
const published = (name: string, source: string): string =>
  source === "path" ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

const MISSING = message("problems:fillIn");

function typeOf(issue: z.core.$ZodIssue): string {
  if (issue.message === NO_SUCH_FIELD) return "extra_forbidden";
  if (issue.code !== "invalid_type") return issue.code === "custom" ? "value_error" : issue.code;
  const isMissing = issue.message === MISSING || issue.message.endsWith("received undefined");
  return isMissing ? "missing" : `${issue.expected}_type`;
}
