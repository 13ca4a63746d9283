import { z } from "zod";
import type { Provider } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { clearCookie } from "../cookies";
import { redirectWith } from "../flash.server";
import { readSealedCookie, sealedCookie } from "../sealed-cookie";

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

// One for each provider, so that none can answer for another.
const nameOf = (provider: Provider): string => `gw_${provider.replace("-", "_")}`;

/** The journey that a browser is on; null: it has not left for this provider, or has come back before. */
export const journeyOf = (provider: Provider, request: Request): Journey | null =>
  readSealedCookie(request, nameOf(provider), Journey);

/**
 * The same, for a browser that comes back.
 * @throws AppError auth_issue for any other browser
 */
export function requireJourney(provider: Provider, request: Request): Journey {
  const journey = journeyOf(provider, request);
  if (journey === null) throw apiError("auth_issue", { status: 400, key: "problems:notBegunHere" });
  return journey;
}

/** Sends a browser to a provider. */
export function leaveFor(provider: Provider, url: URL, journey: Journey): Response {
  const cookie = sealedCookie(nameOf(provider), journey, { maxAgeSeconds: TEN_MINUTES });
  return redirectWith(url.href, [cookie]);
}

/** The Set-Cookie header that ends a journey, whichever way. */
export const endJourney = (provider: Provider): string => clearCookie(nameOf(provider));
