import { describe, expect, test } from "vitest";
import { allowed, aRoute, aSupplier, credentials } from "../__fixtures__/routes";
import { type Attempt, AttemptPlan, release } from "../attempt-plan";
import { CredentialLoad } from "./credential-load";
import { HealthTracker } from "./health-tracker";

const NAMES = Array.from({ length: 20 }, (_, index) => `token-${index}`);
const supplier = aSupplier({ credentials: credentials(...NAMES) });
const among = supplier.credentials;

describe("the next credential", () => {
  test("is the one with the least in flight, of equals the one used longest ago", () => {
    const load = new CredentialLoad();
    const order = Array.from({ length: 40 }, () => {
      const chosen = load.leastLoaded(supplier.id, among);
      load.begin(supplier, chosen);
      return chosen.name;
    });
    expect(order).toEqual([...NAMES, ...NAMES]);
    load.end(supplier, among[7]!);
    expect(load.leastLoaded(supplier.id, among).name).toBe("token-7");
    load.begin(supplier, among[7]!);
    for (const credential of [among[9]!, among[3]!]) load.end(supplier, credential);
    expect(load.leastLoaded(supplier.id, among).name).toBe("token-3");
  });

  test("of a session is its own, until that one has clearly more to do than the others", () => {
    const load = new CredentialLoad();
    const own = load.forSession("a session", supplier.id, among);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(load.forSession("a session", supplier.id, among)).toBe(own);
      load.begin(supplier, own);
    }
    load.begin(supplier, own);
    expect(load.forSession("a session", supplier.id, among)).not.toBe(own);
    load.end(supplier, own);
    load.end(supplier, own);
    expect(load.forSession("a session", supplier.id, among)).toBe(own);
  });
});

test("a stream's credential is busy until the stream is over, a whole answer's until it is there", () => {
  const tracker = new HealthTracker();
  const routes = allowed(aRoute({ supplier }));
  const attempt = (isStream: boolean): Attempt => {
    const attempts = new AttemptPlan({ routes, modelId: "m", session: null, pinnedCredential: null }, tracker);
    const made = attempts.next(0)!;
    attempts.report(made, { kind: "answered", afterMs: 1, isStream }, 0);
    return made;
  };
  const busy = () => NAMES.reduce((sum, name) => sum + tracker.load.inFlight(supplier.id, name), 0);
  attempt(false);
  expect(busy()).toBe(0);
  const stream = attempt(true);
  expect(busy()).toBe(1);
  release(stream, tracker);
  expect(busy()).toBe(0);
});
