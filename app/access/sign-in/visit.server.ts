import { AsyncLocalStorage } from "node:async_hooks";
import type { Intent } from "./journey.server";

/** Input of a password sign-in, with its origin. */
export type TypedSignIn = {
  email: string;
  password: string;
  /** Network address of the browser. */
  address: string;
  /** The sign-up that this browser sent, if any; set even if its email address already had an account. */
  signUp: { email: string; passwordHash: string } | null;
};

/** What a request wants from a sign-in strategy of remix-auth, with the input for it. */
type Visit =
  | { step: "password"; typed: TypedSignIn }
  /** Redirect of the browser to a provider. */
  | { step: "leave"; intent: Intent }
  /** Return of the browser with the provider's response. */
  | { step: "return" };

// remix-auth passes only the request to a strategy, without the body (already read) and the network address.
const visits = new AsyncLocalStorage<Visit>();

/** Runs `work`; the strategies that it calls read `visit` with `visitOf`. */
export const during = <Result>(visit: Visit, work: () => Promise<Result>): Promise<Result> => visits.run(visit, work);

/** Returns the visit that the calling strategy serves. Throws if its step is none of `steps`. */
export function visitOf<Step extends Visit["step"]>(...steps: Step[]): Extract<Visit, { step: Step }> {
  const visit = visits.getStore();
  if (visit === undefined || !(steps as string[]).includes(visit.step)) throw new Error("this is no such visit");
  return visit as Extract<Visit, { step: Step }>;
}
