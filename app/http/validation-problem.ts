import type { z } from "zod";
import { AppError } from "~/errors/app-error";
import { errorEnvelope, errorHeaders, portalErrorBody } from "~/errors/envelope";
import { issue as message, messageOf } from "~/errors/message";
import { sayText } from "~/errors/say.server";
import { NO_SUCH_FIELD } from "./fields";

/** One value at fault as programs read it: where it stands, what is wrong in English, and a word for programs. */
export type ValidationDetail = { loc: (string | number)[]; msg: string; type: string };

/** The same before it is put into words: `message` is a text that may carry a message (`messageOf`). */
export type ValidationIssue = { loc: (string | number)[]; message: string; type: string };

/** More than this is no help to anybody. */
const MAX_DETAILS = 20;
const MAX_NAME_LENGTH = 100;

/** A request whose values do not hold; answered 422 with one entry for each of them. */
export class ValidationError extends AppError {
  readonly detail: readonly ValidationDetail[];

  constructor(readonly issues: readonly ValidationIssue[]) {
    const detail = issues.map(({ loc, message, type }) => ({ loc, msg: sayText(message, "en"), type }));
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

/** The problem of a failed zod parse. `source` says what was parsed and comes first in each `loc`. */
export function problemOf(error: z.ZodError, source: "body" | "query" | "path"): ValidationError {
  return new ValidationError(error.issues.flatMap((issue) => issuesOf(issue, source)).slice(0, MAX_DETAILS));
}

/**
 * Refuses the parameters of a query that the database could look for in no column, because none can hold a NUL.
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
 * The 422 answer. Validation bodies have one shape everywhere (`detail`, `code`, `message`, `human_message`); under `/v1`
 * the gateway's `error` envelope stands beside it, so that a client of either kind finds what it reads.
 */
export function validationResponse(problem: ValidationError): Response {
  const body = { ...portalErrorBody(problem, { detail: problem.detail }), ...errorEnvelope(problem) };
  return new Response(JSON.stringify(body), { status: problem.status, headers: errorHeaders(problem) });
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

/** Path parameters are published in snake case. */
const published = (name: string, source: string): string =>
  source === "path" ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

const MISSING = message("problems:fillIn");

function typeOf(issue: z.core.$ZodIssue): string {
  if (issue.message === NO_SUCH_FIELD) return "extra_forbidden";
  if (issue.code !== "invalid_type") return issue.code === "custom" ? "value_error" : issue.code;
  const isMissing = issue.message === MISSING || issue.message.endsWith("received undefined");
  return isMissing ? "missing" : `${issue.expected}_type`;
}
