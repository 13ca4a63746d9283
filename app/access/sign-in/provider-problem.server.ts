import type { Provider } from "~/domain/identity/shared";
import { AppError, apiError } from "~/errors/app-error";
import { log } from "~/log.server";

/** A provider's clock may be this much behind ours. */
const CLOCK_MS = 60_000;

/** The answer for a browser that comes back from a provider with something that does not hold. `declined`: it says no itself. */
export function answerProblem(provider: Provider, problem: unknown, declined: boolean): AppError {
  if (problem instanceof AppError) return problem;
  if (isAway(problem)) return providerAway(provider, problem);
  log.warn({ provider, problem: wordsOf(problem) }, "an answer of an identity provider was refused");
  return apiError("auth_issue", {
    key: declined ? "problems:providerRefused" : "problems:providerAnswer",
    cause: problem,
  });
}

/** The answer while a provider cannot be reached. */
export function providerAway(provider: Provider, problem: unknown): AppError {
  log.warn({ provider, problem: wordsOf(problem) }, "an identity provider cannot be reached");
  return apiError("service_unavailable", {
    key: "problems:providerAway",
    cause: problem,
  });
}

/** The answer where a provider does not tell a person's address. */
export const addressMissing = (): AppError =>
  apiError("missing_email", {
    key: "problems:providerNoEmail",
  });

/**
 * Asks that a person has signed in at the provider since `since` (milliseconds), by what it says itself: what was asked for
 * is no answer, and a session there shows only that it is their browser.
 * @throws AppError auth_issue
 */
export function requireProvedSince(provedAt: Date | null, since: number): void {
  if (provedAt !== null && provedAt.getTime() >= since - CLOCK_MS) return;
  throw apiError("auth_issue", {
    key: "problems:providerProvesNothing",
  });
}

function isAway(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false;
  const { code } = problem as { code?: string };
  return problem instanceof TypeError || code === "OAUTH_TIMEOUT" || problem.name === "TimeoutError";
}

/** The problem's own words; never the answer itself, which carries codes and tokens. */
const wordsOf = (problem: unknown) => {
  const { code, message } = (problem ?? {}) as { code?: string; message?: string };
  return { code, message };
};
