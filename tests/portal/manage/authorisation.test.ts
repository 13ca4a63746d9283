import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Role, rankOfRole } from "~/domain/accounts/shared";
import type { HttpMethod } from "~/http/declaration";
import { isPage, operationsOf } from "~/openapi/operations-of";
import { AUTHORISATION } from "../../contract/authorisation-table";
import { servedRows } from "../../contract/served-rows";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";
import { aTenant, MISSING, type Tenant } from "../../support/tenants";
import { BODIES } from "./bodies";

/** One operation of the route table, which is tried with each role. `rule`: its entry in the authorisation table. */
type Asked = {
  method: HttpMethod;
  path: string;
  name: string;
  rule: NonNullable<ReturnType<typeof AUTHORISATION.get>> | undefined;
  page: boolean;
};

let portal: Portal;
let operations: Asked[];
let a: Tenant;
let b: Tenant;
let limbo: Record<"suspended" | "archived" | "unverified" | "withoutTerms", SignedIn>;

/**
 * Operations that are not tried. Signing out needs no rights and would end the test. The webhook has no sessions: its
 * callers sign their requests.
 */
const APART = new Set(["GET /logout", "POST /logout", "POST /api/billing/processor/webhook"]);
const needsSession = ({ path }: Asked) => path.startsWith("/dashboard") || path.startsWith("/api/");
const isUnsafe = ({ method }: Asked) => method !== "GET";
const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

beforeAll(async () => {
  portal = await startPortal();
  const rows = (await servedRows()).filter(({ path }) => !/^(?:v1|v2|health|dev)(?:\/|$)|\*$/.test(path));
  operations = rows.flatMap((row) =>
    operationsOf(row).map(({ method, path }) => {
      const name = `${method} ${path}`;
      return { method, path, name, rule: AUTHORISATION.get(name), page: isPage(row) };
    }),
  );
  operations = operations.filter(({ name }) => !APART.has(name));
  a = await aTenant(portal, "a");
  b = await aTenant(portal, "b");
  limbo = {
    suspended: await portal.signInAs("org_admin", { status: "suspended" }),
    archived: await portal.signInAs("org_admin", { status: "archived" }),
    unverified: await portal.signInAs("org_admin", { verified: false }),
    withoutTerms: await portal.signInAs("org_admin", { terms: false }),
  };
}, 180_000);
afterAll(() => portal?.close());

type Answer = { status: number; body: string; headers: Headers };

async function ask(
  browser: Browser,
  operation: Asked,
  objects: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => objects[name] ?? `no-object-for-${name}`);
  const response =
    operation.method === "GET"
      ? await browser.fetch(path, { headers: { accept: "application/json", ...headers } })
      : await browser.post(path, BODIES[operation.name] ?? {}, { json: true, method: operation.method, headers });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

/** Checks operations, several at a time. Returns the errors, each with the name of its operation. */
async function wrongIn(list: readonly Asked[], judge: (operation: Asked) => Promise<string | null>): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = [...list];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const problem = await judge(next);
      if (problem !== null) wrong.push(`${next.name}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return wrong.sort();
}

/** Operations that look nothing up: for every id they answer 200 with the same empty content. */
const ALIKE_FOR_ANY_ID: ReadonlySet<string> = new Set(["GET /dashboard/qualitative/detail/{request_id}"]);

test("there is an object for every path parameter of the table", () => {
  const names = new Set(operations.filter(needsSession).flatMap(({ path }) => parametersOf(path)));
  expect([...names].filter((name) => !(name in a.objects) || !(name in MISSING))).toEqual([]);
});

describe("who is not signed in, or may not go on,", () => {
  test("is answered 401 by everything behind the sign-in, and a browser is sent there", async () => {
    const behind = operations.filter(needsSession);
    expect(behind.length).toBeGreaterThan(20);
    const wrong = await wrongIn(behind, async (operation) => {
      const { status, body } = await ask(portal.visitor(), operation, a.objects);
      return status === 401 ? leaks(body) : `status ${status}`;
    });
    expect(wrong).toEqual([]);
    const pages = behind.filter(({ page, method }) => page && method === "GET");
    const elsewhere = await wrongIn(pages, async ({ path }) => {
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) => a.objects[name] ?? "1");
      const { status, headers } = await portal.visitor().get(target);
      return status === 303 && headers.get("location")?.startsWith("/login?next=") ? null : `status ${status}`;
    });
    expect(elsewhere).toEqual([]);
  });

  test.each([
    ["suspended", "account_status"],
    ["archived", "account_status"],
    ["unverified", "email_not_verified"],
    ["withoutTerms", "tos_not_accepted"],
  ] as const)("because the account is %s, gets %s", async (who, code) => {
    const open = new Set(["GET /api/legal/status", "POST /api/legal/accept"]);
    const behind = operations.filter((operation) => needsSession(operation) && !open.has(operation.name));
    const wrong = await wrongIn(behind, async (operation) => {
      const { status, body } = await ask(limbo[who].browser, operation, a.objects);
      return status === 403 && body.includes(`"${code}"`) ? leaks(body) : `status ${status} ${body.slice(0, 80)}`;
    });
    expect(wrong).toEqual([]);
  });
});

test("nothing that changes something runs for another site's page, whoever is signed in", async () => {
  const { browser } = a.people.orgAdmin;
  const before = await a.fingerprint();
  const wrong = await wrongIn(operations.filter(isUnsafe), async (operation) => {
    const elsewhere: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site", origin: "https://evil.test" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "", origin: "https://evil.test" },
      { "sec-fetch-site": "" },
    ];
    for (const headers of elsewhere) {
      const { status, body } = await ask(browser, operation, a.objects, headers);
      if (status !== 403 || !body.includes('"csrf_rejected"'))
        return `status ${status} with ${JSON.stringify(headers)}`;
    }
    return null;
  });
  expect(wrong).toEqual([]);
  expect(await a.fingerprint()).toBe(before);
});

test("below the rank that is written for an operation, everybody gets 403", async () => {
  const wrong: string[] = [];
  expect(operations.filter((operation) => needsSession(operation) && operation.rule === undefined)).toEqual([]);
  for (const { browser, person } of Object.values(a.people)) {
    const above = operations.filter(({ rule }) => isAbove(rule, person.role));
    if (person.role !== "org_admin") expect(above.length).toBeGreaterThan(60);
    wrong.push(
      ...(await wrongIn(above, async (operation) => {
        const { status, body } = await ask(browser, operation, a.objects);
        // An object outside the person's scope may get a 404; operations on the installation always get a 403.
        const isHideable = operation.rule?.scope !== "installation" && parametersOf(operation.path).length > 0;
        const hidden = status === 404 && isHideable;
        return hidden || (status === 403 && body.includes('"forbidden"'))
          ? leaks(body, a)
          : `${person.role} got ${status}`;
      })),
    );
  }
  expect(wrong).toEqual([]);
});

describe.each(["orgAdmin", "departmentAdmin", "member", "viewer"] as const)("for another tenant's %s", (rank) => {
  test("a foreign object is like one that does not exist, shows nothing and stays as it is", async () => {
    const { browser } = b.people[rank];
    const before = await a.fingerprint();
    const withIds = operations.filter(
      (operation) => needsSession(operation) && parametersOf(operation.path).length > 0,
    );
    const wrong = await wrongIn(withIds, async (operation) => {
      const foreign = await ask(browser, operation, a.objects);
      const missing = await ask(browser, operation, MISSING);
      if (foreign.status !== missing.status) return `foreign ${foreign.status}, missing ${missing.status}`;
      if (foreign.status < 400 && !ALIKE_FOR_ANY_ID.has(operation.name)) return `answered ${foreign.status}`;
      const [own, none] = ALIKE_FOR_ANY_ID.has(operation.name) ? [{}, {}] : [a.objects, MISSING];
      if (withoutIds(foreign.body, own) !== withoutIds(missing.body, none)) return "another answer";
      // Of two successful pages the first removes the stored message of an earlier form, so its headers may differ.
      const isShown = ALIKE_FOR_ANY_ID.has(operation.name);
      if (!isShown && names(foreign.headers) !== names(missing.headers)) return "other headers";
      return leaks(foreign.body, b);
    });
    expect(wrong).toEqual([]);
    expect(await a.fingerprint()).toBe(before);
  });

  test("what they may read has nothing of others in it, in no format", async () => {
    const { browser } = b.people[rank];
    const reading = operations.filter(({ method }) => method === "GET");
    const wrong = await wrongIn(reading, async (operation) => {
      for (const accept of ["application/json", "text/html", "text/csv"]) {
        const { status, body } = await ask(browser, operation, b.objects, { accept });
        if (status >= 500) return `status ${status}`;
        const leak = leaks(body, b);
        if (leak !== null) return leak;
      }
      return null;
    });
    expect(wrong).toEqual([]);
  });
});

test("a malformed id in a path is 422 with the place it stands in, or 404 on a page", async () => {
  const { browser } = a.people.orgAdmin;
  const withIds = operations.filter(
    (operation) => needsSession(operation) && parametersOf(operation.path).some((name) => name.endsWith("_id")),
  );
  const wrong = await wrongIn(withIds, async (operation) => {
    if (isAbove(operation.rule, "org_admin") || ALIKE_FOR_ANY_ID.has(operation.name)) return null;
    const malformed = Object.fromEntries(Object.keys(MISSING).map((name) => [name, "not-a-number"]));
    const { status, body } = await ask(browser, operation, malformed);
    if (operation.page && (status === 404 || status === 403)) return null;
    if (status === 403) return null;
    return status === 422 && body.includes('"path"') ? null : `status ${status}`;
  });
  expect(wrong).toEqual([]);
});

const isAbove = (rule: Asked["rule"], role: Role): boolean =>
  rule !== undefined &&
  rule.least !== "anyone" &&
  rule.least !== "signed-in" &&
  rankOfRole(role) > rankOfRole(rule.least);

/** Returns a message about tenants whose data an answer contains, except `own`; null if there are none. */
function leaks(body: string, own?: Tenant): string | null {
  const told = [a, b].filter((tenant) => tenant !== own && body.includes(tenant.canary));
  return told.length === 0 ? null : `tells of ${told.map(({ canary }) => canary).join(", ")}`;
}

/** Removes ids and times, which differ between answers. */
function withoutIds(body: string, objects: Readonly<Record<string, string>>): string {
  let text = body.replace(/nonce="[^"]*"/g, "").replace(/nonce-[\w+/=-]+| title="[^"]* ago"/g, "");
  for (const value of Object.values(objects).toSorted((x, y) => y.length - x.length))
    text = text.replaceAll(value, "…");
  return text;
}

const names = (headers: Headers): string =>
  [...headers.keys()].filter((name) => !["date", "content-length", "transfer-encoding"].includes(name)).join();
