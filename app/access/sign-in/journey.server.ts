import { createHash } from "node:crypto";
import { z } from "zod";
import type { Provider } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { clearCookie, cookieNames } from "../cookies";
import { redirectWith } from "../flash.server";
import { readSealedCookie, sealedCookie } from "../sealed-cookie";
import { logStrayAnswer } from "./provider-problem.server";

const TEN_MINUTES = 600;

const Intent = z.object({
  /** The page to open afterwards. */
  next: z.string(),
  /** Start in milliseconds since 1970. */
  begunAt: z.number(),
  /** Whether a signed-in person confirms their identity. */
  confirms: z.boolean(),
  /** The signed-in user who links the provider; null: a sign-in. */
  linkTo: z.number().nullable(),
  /** The reseller's host to return the browser to, with the hash of the browser's secret. */
  handTo: z.object({ host: z.string(), browserHash: z.string() }).nullable(),
});

/** Purpose of a visit at a provider. */
export type Intent = z.output<typeof Intent>;

const Journey = Intent.extend({
  state: z.string(),
  codeVerifier: z.string(),
  /** Null: the provider issues no ID token that could contain it. */
  nonce: z.string().nullable(),
});

/** The contents of the sealed cookie between the redirect to a provider and the return. */
export type Journey = z.output<typeof Journey>;

/** Maximum open sign-ins of a browser at one provider, in several tabs; the latest ones are retained. */
const MAX_OPEN = 4;

// One cookie per provider, so that no provider can answer for another, and per sign-in, so that several tabs can
// finish.
const prefixOf = (provider: Provider): string => `gw_${provider.replace("-", "_")}`;
const nameOf = (provider: Provider, state: string): string =>
  `${prefixOf(provider)}_${createHash("sha256").update(state).digest("hex").slice(0, 12)}`;
const stateOf = (request: Request): string => new URL(request.url).searchParams.get("state") ?? "";

/** Returns the journey of a returning browser; null: none for this provider and state, expired, or already finished. */
export const journeyOf = (provider: Provider, request: Request): Journey | null =>
  readSealedCookie(request, nameOf(provider, stateOf(request)), Journey);

/**
 * The same, but required.
 * @throws AppError auth_issue for a browser without a journey
 */
export function requireJourney(provider: Provider, request: Request): Journey {
  const journey = journeyOf(provider, request);
  if (journey === null) {
    logStrayAnswer(provider, new URL(request.url));
    throw apiError("auth_issue", { status: 400, key: "problems:notBegunHere" });
  }
  return journey;
}

/** Redirects a browser to a provider. */
export function leaveFor(
  provider: Provider,
  request: Request,
  { url, journey }: { url: URL; journey: Journey },
): Response {
  const cookie = sealedCookie(nameOf(provider, journey.state), journey, { maxAgeSeconds: TEN_MINUTES });
  return redirectWith(url.href, [cookie, ...tooManyOpen(provider, request).map(clearCookie)]);
}

/** Returns the Set-Cookie header that ends the journey of a returning browser, with any result. */
export const endJourney = (provider: Provider, request: Request): string =>
  clearCookie(nameOf(provider, stateOf(request)));

/** Returns the oldest journeys to delete, so that abandoned sign-ins do not enlarge the request headers. */
function tooManyOpen(provider: Provider, request: Request): string[] {
  const begunAt = (name: string) => readSealedCookie(request, name, Journey)?.begunAt ?? 0;
  const open = cookieNames(request).filter((name) => name.startsWith(`${prefixOf(provider)}_`));
  return open.toSorted((a, b) => begunAt(b) - begunAt(a)).slice(MAX_OPEN - 1);
}
