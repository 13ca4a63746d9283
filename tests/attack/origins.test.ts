import { afterAll, beforeAll, expect, test } from "vitest";
import { BODIES } from "../portal/manage/bodies";
import { type Portal, startPortal } from "../support/portal";
import { aTenant, type Tenant } from "../support/tenants";
import { pathWith, type UnsafeOperation, unsafeOperations } from "./operations";
import { FULL, overAll, report } from "./target";

let target: Portal;
let tenant: Tenant;
let operations: UnsafeOperation[];
beforeAll(async () => {
  target = await startPortal();
  tenant = await aTenant(target, "attacked");
  // The payment processor signs its events and has no session.
  operations = (await unsafeOperations()).filter(({ path }) => path !== "/api/billing/processor/webhook");
}, 180_000);
afterAll(() => target?.close());

type Headers = Readonly<Record<string, string>>;
const NOT_SAID = { "sec-fetch-site": "" };

/** Returns headers that no page of this portal sends; `own` is the portal's origin. */
const foreign = (own: string): readonly Headers[] => [
  { "sec-fetch-site": "cross-site", origin: "https://evil.test" },
  { "sec-fetch-site": "cross-site", origin: own },
  { "sec-fetch-site": "cross-site", "content-type": "text/plain" },
  { "sec-fetch-site": "cross-site", "x-requested-with": "XMLHttpRequest" },
  { "sec-fetch-site": "cross-site", authorization: "Bearer gw_nothing" },
  { "sec-fetch-site": "cross-site", accept: "application/json" },
  { "sec-fetch-site": "same-site", origin: own },
  { "sec-fetch-site": "none", origin: own },
  { "sec-fetch-site": "SAME-ORIGIN", origin: own },
  { "sec-fetch-site": "same-origin, cross-site", origin: own },
  { "sec-fetch-site": "nonsense" },
  { ...NOT_SAID },
  { ...NOT_SAID, origin: "null" },
  { ...NOT_SAID, origin: "https://evil.test" },
  { ...NOT_SAID, origin: `${own}.evil.test` },
  { ...NOT_SAID, origin: `${own}/` },
  { ...NOT_SAID, origin: `${own}0` },
  { ...NOT_SAID, origin: own.replace("http:", "https:") },
  { ...NOT_SAID, origin: `${own}@evil.test` },
  { ...NOT_SAID, origin: `${own} https://evil.test` },
  { ...NOT_SAID, origin: own.toUpperCase() },
  { ...NOT_SAID, origin: "file://" },
  { ...NOT_SAID, referer: `${own}/dashboard/settings` },
  { ...NOT_SAID, origin: "https://evil.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" },
  { ...NOT_SAID, origin: "https://evil.test", forwarded: "host=evil.test;proto=https" },
];

test("no operation that changes something runs with any header set of another site's page", async () => {
  const own = `http://localhost:${new URL(target.url).port}`;
  const sets = foreign(own);
  expect(sets).toHaveLength(25);
  const before = await tenant.fingerprint();
  const { browser } = tenant.people.orgAdmin;
  const tries = operations.flatMap((operation) =>
    sets.flatMap((headers) => (FULL ? [false, true] : [false]).map((json) => ({ operation, headers, json }))),
  );
  expect(operations.length).toBeGreaterThan(40);
  const wrong = await overAll(tries, 12, async ({ operation, headers, json }) => {
    const path = pathWith(operation.path, tenant.objects);
    const { method, name } = operation;
    const response = await browser.post(path, BODIES[name] ?? {}, { method, json, headers });
    await response.arrayBuffer();
    return response.status === 403 ? null : `${name}: ${response.status} with ${JSON.stringify(headers)}`;
  });
  report({ group: "25 foreign header sets on every unsafe operation", requests: tries.length, wrong });
  expect(wrong).toEqual([]);
  expect(await tenant.fingerprint()).toBe(before);
}, 600_000);
