import { createHash } from "node:crypto";
import { z } from "zod";
import type { Provider } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { clearCookie, cookieNames } from "../cookies";
import { redirectWith } from "../flash.server";
import { readSealedCookie, sealedCookie } from "../sealed-cookie";
import { logStrayAnswer } from "./provider-problem.server";

const TEN_MINUTES = 600;

const Intent = z.object({
  /** The page to go on to. */
  next: z.string(),
  /** In milliseconds. */
  begunAt: z.number(),
  /** Somebody who was signed in already proves who they are. */
  confirms: z.boolean(),
  /** Who was signed in and wants to link; null: somebody signs in. */
  linkTo: z.number().nullable(),
  /** The reseller's host that the browser has to be handed back to, with the mark of its secret. */
  handTo: z.object({ host: z.string(), browserHash: z.string() }).nullable(),
});

/** Why a browser goes to a provider. */
export type Intent = z.output<typeof Intent>;

const Journey = Intent.extend({
  state: z.string(),
  codeVerifier: z.string(),
  /** Null: the provider issues no token that would repeat it. */
  nonce: z.string().nullable(),
});

/** What a browser keeps between leaving for a provider and coming back, sealed. */
export type Journey = z.output<typeof Journey>;

/** Sign-ins at one provider that a browser can have open at once, in as many tabs; the latest ones stay. */
const MAX_OPEN = 4;

// One for each provider, so that none can answer for another, and for each sign-in there, so that several tabs can finish.
const prefixOf = (provider: Provider): string => `gw_${provider.replace("-", "_")}`;
const nameOf = (provider: Provider, state: string): string =>
  `${prefixOf(provider)}_${createHash("sha256").update(state).digest("hex").slice(0, 12)}`;
const stateOf = (request: Request): string => new URL(request.url).searchParams.get("state") ?? "";

/** The journey that a browser comes back from; null: it has not left for this provider with this state, or not lately, or has come back before. */
export const journeyOf = (provider: Provider, request: Request): Journey | null =>
  readSealedCookie(request, nameOf(provider, stateOf(request)), Journey);

/**
 * The same, for a browser that has to be on one.
 * @throws AppError auth_issue for any other browser
 */
export function requireJourney(provider: Provider, request: Request): Journey {
  const journey = journeyOf(provider, request);
  if (journey === null) {
    logStrayAnswer(provider, new URL(request.url));
    throw apiError("auth_issue", { status: 400, key: "problems:notBegunHere" });
  }
  return journey;
}

/** Sends a browser to a provider. */
export function leaveFor(
  provider: Provider,
  request: Request,
  { url, journey }: { url: URL; journey: Journey },
): Response {
  const cookie = sealedCookie(nameOf(provider, journey.state), journey, { maxAgeSeconds: TEN_MINUTES });
  return redirectWith(url.href, [cookie, ...tooManyOpen(provider, request).map(clearCookie)]);
}

/** The Set-Cookie header that ends the journey that a browser comes back from, whichever way. */
export const endJourney = (provider: Provider, request: Request): string =>
  clearCookie(nameOf(provider, stateOf(request)));

/** The oldest ones, so that a browser whose sign-ins are abandoned does not send ever larger headers. */
function tooManyOpen(provider: Provider, request: Request): string[] {
  const begunAt = (name: string) => readSealedCookie(request, name, Journey)?.begunAt ?? 0;
  const open = cookieNames(request).filter((name) => name.startsWith(`${prefixOf(provider)}_`));
  return open.toSorted((a, b) => begunAt(b) - begunAt(a)).slice(MAX_OPEN - 1);
}
