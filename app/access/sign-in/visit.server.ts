import { AsyncLocalStorage } from "node:async_hooks";
import type { Intent } from "./journey.server";

/** What somebody has typed to sign in, and what is known of where from. */
export type TypedSignIn = {
  email: string;
  password: string;
  /** The network address of the browser. */
  address: string;
  /** The sign-up that this very browser has made, whether or not there was an account with its address. */
  signUp: { email: string; passwordHash: string } | null;
};

/** What a request is for. */
type Visit =
  | { step: "password"; typed: TypedSignIn }
  /** The browser leaves for a provider … */
  | { step: "leave"; intent: Intent }
  /** … and comes back with its answer. */
  | { step: "return" };

// remix-auth hands a strategy the request alone, which has neither the body (it is read by then) nor the network address.
const visits = new AsyncLocalStorage<Visit>();

/** Does some work whose strategies see `visit`. */
export const during = <Result>(visit: Visit, work: () => Promise<Result>): Promise<Result> => visits.run(visit, work);

/** What the request is for that a strategy is asked about. */
export function visitOf<Step extends Visit["step"]>(...steps: Step[]): Extract<Visit, { step: Step }> {
  const visit = visits.getStore();
  if (visit === undefined || !(steps as string[]).includes(visit.step)) throw new Error("this is no such visit");
  return visit as Extract<Visit, { step: Step }>;
}
