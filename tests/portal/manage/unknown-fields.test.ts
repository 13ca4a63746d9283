import { afterAll, beforeAll, expect, test } from "vitest";
import type { HttpMethod } from "~/http/declaration";
import { operationsOf } from "~/openapi/operations-of";
import { servedRows } from "../../contract/served-rows";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";
import { aTenant, type Tenant } from "../../support/tenants";

type Operation = { method: HttpMethod; path: string; name: string };

let portal: Portal;
let tenant: Tenant;
let owner: SignedIn;
let operations: Operation[];

/** Operations that ignore unknown fields; only the name has an effect. */
const OPEN = new Set(["POST /dashboard/settings/display-name"]);
/** Operations that check the link first; no link is valid once an owner exists. */
const BEHIND_A_LINK = new Set(["POST /setup/{token}"]);
/** Valid fields of operations that check their own fields before unknown ones. */
const OWN_FIELDS: Readonly<Record<string, object>> = {
  "POST /dashboard/settings": { intent: "profile", name: "Somebody" },
  "POST /dashboard/admin/organisations/merge": { target_org_id: "1", source_org_ids: "2" },
};
/** Fields that would raise a person's rights or change another person's money if an operation used them. */
const PRIVILEGED = {
  role: "owner",
  is_admin: "true",
  organisation_id: "1",
  user_id: "1",
  email_verified_at: "2020-01-01",
  billing_exempt: "true",
};

/** Operations that are not tried: the webhook accepts only signed events, and retired operations ignore bodies. */
const APART = new Set([
  "POST /api/billing/processor/webhook",
  "POST /api/billing/add-funds",
  "POST /api/billing/payment-method",
  "DELETE /api/billing/payment-method/{pm_id}",
  "POST /api/billing/payment-method/{pm_id}/default",
  "POST /api/billing/link-partner",
  "POST /api/billing/unlink-partner",
]);

beforeAll(async () => {
  portal = await startPortal();
  tenant = await aTenant(portal, "a");
  owner = await portal.signInAs("owner");
  const rows = (await servedRows()).filter(({ path }) => !/^(?:v1|v2|health|dev)(?:\/|$)|\*$/.test(path));
  const all = rows.flatMap((row) =>
    operationsOf(row).map(({ method, path }) => ({ method, path, name: `${method} ${path}` })),
  );
  operations = all.filter(({ method, name }) => method !== "GET" && !APART.has(name));
}, 180_000);
afterAll(() => portal?.close());

type Answer = { status: number; body: { code?: string; detail?: { loc: unknown[]; type: string }[] } };

async function ask({ method, path }: Operation, body: object, type: "json" | "form"): Promise<Answer> {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => tenant.objects[name] ?? "1");
  // Operations for visitors redirect people who are signed in.
  const browser = path.startsWith("/dashboard") || path.startsWith("/a") ? owner.browser : portal.visitor();
  const headers = {
    accept: "application/json",
    "content-type": type === "json" ? "application/json" : "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
  };
  const sent = type === "json" ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>).toString();
  const response = await browser.fetch(target, { method, headers, body: sent });
  return { status: response.status, body: await response.json().catch(() => ({})) };
}

test("every operation that changes something refuses a field that it does not know, and names it", async () => {
  expect(operations.length).toBeGreaterThan(50);
  const before = await tenant.fingerprint();
  const wrong: string[] = [];
  for (const operation of operations.filter(({ name }) => !OPEN.has(name) && !BEHIND_A_LINK.has(name))) {
    for (const type of ["json", "form"] as const) {
      const { status, body } = await ask(
        operation,
        { ...OWN_FIELDS[operation.name], ...PRIVILEGED, no_such_field: "1" },
        type,
      );
      const named = body.detail?.filter(({ type: kind }) => kind === "extra_forbidden").map(({ loc }) => loc.join("."));
      if (status !== 422 || body.code !== "validation_error" || !named?.includes("body.no_such_field"))
        wrong.push(`${operation.name} as ${type}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await tenant.fingerprint()).toBe(before);
});

test("a display name may come with anything else, which changes nothing", async () => {
  const { browser, person } = await portal.signInAs("member");
  const row = () => portal.sql("SELECT * FROM app_user WHERE id = $1", [person.userId]).then(([found]) => found);
  const { updated_at: _, ...before } = await row();
  const answer = await browser.post(
    "/dashboard/settings/display-name",
    { ...PRIVILEGED, name: "Ada", status: "archived", id: "1" },
    { json: true },
  );
  expect([answer.status, (await answer.json()).display_name]).toEqual([200, "Ada"]);
  const { updated_at: __, ...after } = await row();
  expect(after).toEqual({ ...before, name: "Ada" });
});

test("a browser gets its form back, with a message, however many unknown fields it has sent", async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`${"x".repeat(95)}${at}`, "y".repeat(100)]),
  );
  for (const path of ["/dashboard/toggle-admin-mode", "/dashboard/get-started/action"]) {
    const answer = await owner.browser.post(path, fields);
    expect([path, answer.status]).toEqual([path, 303]);
    const cookies = answer.headers.getSetCookie().join();
    expect(cookies.length).toBeLessThan(8_000);
  }
  for (const path of ["/dashboard/settings", "/dashboard/keys/new", "/dashboard/admin/projects"])
    expect([path, (await owner.browser.post(path, fields)).status]).toEqual([path, 422]);
  expect(portal.gateway.output()).not.toContain('"level":"error"');
});
