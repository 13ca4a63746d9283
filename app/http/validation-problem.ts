import type { z } from "zod";
import { AppError } from "~/errors/app-error";
import { errorEnvelope, errorHeaders, portalErrorBody } from "~/errors/envelope";

/** One value at fault: where it stands, what is wrong, and a word for programs. */
export type ValidationDetail = { loc: (string | number)[]; msg: string; type: string };

/** What is wrong with a field that nobody asked for. */
export const NO_SUCH_FIELD = "there is no such field";

/** More than this is no help to anybody. */
const MOST_DETAILS = 20;
const LONGEST_NAME = 100;

/** A request whose values do not hold; answered 422 with one entry for each of them. */
export class ValidationProblem extends AppError {
  constructor(readonly detail: readonly ValidationDetail[]) {
    const [first] = detail;
    super("validation_error", first && { human: `${first.loc.slice(1).join(".") || "The request"}: ${first.msg}.` });
  }
}

/** The problem of a failed zod parse. `source` says what was parsed and comes first in each `loc`. */
export function problemOf(error: z.ZodError, source: "body" | "query" | "path"): ValidationProblem {
  const detail = error.issues.flatMap((issue) => detailsOf(issue, source));
  return new ValidationProblem(detail.slice(0, MOST_DETAILS));
}

/**
 * The 422 answer. Validation bodies have one shape everywhere (`detail`, `code`, `message`, `human_message`); under `/v1`
 * the gateway's `error` envelope stands beside it, so that a client of either kind finds what it reads.
 */
export function validationResponse(problem: ValidationProblem): Response {
  const body = { ...portalErrorBody(problem, { detail: problem.detail }), ...errorEnvelope(problem) };
  return new Response(JSON.stringify(body), { status: problem.status, headers: errorHeaders(problem) });
}

function detailsOf(issue: z.core.$ZodIssue, source: string): ValidationDetail[] {
  const loc = [
    source,
    ...issue.path.map((part) => (typeof part === "number" ? part : String(part).slice(0, LONGEST_NAME))),
  ];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MOST_DETAILS).map((key) => ({
      loc: [...loc, key.slice(0, LONGEST_NAME)],
      msg: NO_SUCH_FIELD,
      type: "extra_forbidden",
    }));
  }
  return [{ loc, msg: issue.message, type: typeOf(issue) }];
}

function typeOf(issue: z.core.$ZodIssue): string {
  if (issue.message === NO_SUCH_FIELD) return "extra_forbidden";
  if (issue.code !== "invalid_type") return issue.code === "custom" ? "value_error" : issue.code;
  return issue.message.endsWith("received undefined") ? "missing" : `${issue.expected}_type`;
}
