import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpMethod } from "~/http/declaration";
import { type Portal, startPortal } from "../../support/portal";
import { aTenant, MISSING, type Tenant } from "../../support/tenants";

/**
 * An id in a body or a query. Another tenant's id gets the same answer as a missing id, and changes nothing. Every
 * field of the OpenAPI description that can contain an id needs a case.
 */
type Case = {
  operation: string;
  field: string;
  /** The kind of the tenant's object that the field names. */
  object: keyof Objects;
  /** Other required fields. */
  body?: Readonly<Record<string, unknown>>;
  /** Returns the field's value for an id; by default the id. */
  value?: (id: string) => unknown;
};
type Objects = Tenant["objects"] &
  Readonly<Record<"identity_id" | "checkout_id" | "delivery_id" | "email" | "domain", string>>;

const users = "/dashboard/admin/users";
const listed = (id: string) => [Number(id)];
const move = { intent: "move", ids: [1_999_999_999] };
const own = "/dashboard/admin/organisation";
const merge = { target_org_id: MISSING.org_id as string, source_org_ids: MISSING.org_id as string };

const CASES: readonly Case[] = [
  { operation: "POST /dashboard/keys/new", field: "owner", object: "user_id", body: { name: "k" } },
  { operation: "POST /dashboard/keys/new", field: "project_id", object: "project_id", body: { name: "k" } },
  {
    operation: "POST /dashboard/keys/new",
    field: "department_id",
    object: "department_id",
    body: { name: "k", owner: "nobody" },
  },
  { operation: "POST /dashboard/keys/{key_id}", field: "project_id", object: "project_id" },
  { operation: `POST ${users}/{user_id}/department`, field: "department_id", object: "department_id" },
  { operation: `POST ${users}/{user_id}/org`, field: "org_id", object: "org_id" },
  {
    operation: `POST ${users}/invite`,
    field: "org_id",
    object: "org_id",
    body: { email: "new@example.com", role: "viewer" },
  },
  {
    operation: `POST ${users}/invite`,
    field: "department_id",
    object: "department_id",
    body: { email: "new@example.com", role: "viewer" },
  },
  { operation: "POST /dashboard/admin/projects", field: "org_id", object: "org_id", body: { name: "p" } },
  { operation: "POST /dashboard/admin/projects/{project_id}/members", field: "email", object: "email" },
  { operation: "POST /dashboard/autorouter/api-key", field: "key_id", object: "key_id", body: { autorouter: "off" } },
  {
    ...{ operation: "POST /dashboard/admin/autorouter/api-key", field: "key_id" },
    ...{ object: "key_id", body: { autorouter: "off" } },
  },
  { operation: "POST /dashboard/admin/autorouter/org", field: "org_id", object: "org_id", body: { autorouter: "off" } },
  ...["/dashboard/playground", "/dashboard/playground/run"].map((path): Case => {
    return { operation: `POST ${path}`, field: "key_id", object: "key_id", body: { model: "m", message: "m" } };
  }),
  { operation: "GET /dashboard/guardrails", field: "key", object: "key_id" },
  ...(["key_id", "org_id"] as const).flatMap((field): Case[] => [
    { operation: "POST /dashboard/guardrails/add", field, object: field, body: { name: "n", text: "word" } },
    { operation: "POST /dashboard/guardrails/remove", field, object: field, body: { id: "000000000000" } },
    { operation: "POST /dashboard/guardrails/test", field, object: field, body: { sample: "text" } },
    {
      ...{ operation: "POST /dashboard/guardrails/webhook", field, object: field },
      body: { act: "save", url: "https://example.com/hook" },
    },
  ]),
  {
    ...{ operation: "POST /dashboard/qualitative/settings", field: "org_id", object: "org_id" },
    body: { opt_in: "true", minimum: "20" },
  },
  {
    ...{ operation: "POST /dashboard/admin/conversations/settings", field: "org_id", object: "org_id" },
    body: { stored: "true" },
  },
  { operation: "GET /dashboard/admin/conversations", field: "key", object: "key_id" },
  { operation: "GET /dashboard/admin/conversations/export", field: "key", object: "key_id" },
  { operation: "GET /dashboard/qualitative/settings", field: "org_id", object: "org_id" },
  { operation: `POST ${own}/billing-user`, field: "billing_user_id", object: "user_id" },
  { operation: `POST ${own}/billing-user`, field: "org_id", object: "org_id", body: { billing_user_id: "" } },
  { operation: `POST ${own}/monthly-budget`, field: "org_id", object: "org_id", body: { monthly_budget: "5" } },
  { operation: `POST ${own}/settings`, field: "org_id", object: "org_id", body: { brand_name: "b" } },
  { operation: "POST /dashboard/admin/organisations/merge", field: "target_org_id", object: "org_id", body: merge },
  { operation: "POST /dashboard/admin/organisations/merge", field: "source_org_ids", object: "org_id", body: merge },
  { operation: "POST /dashboard/admin/organisations/merge", field: "billing_user_id", object: "user_id", body: merge },
  { operation: "POST /dashboard/set-admin-org", field: "org_id", object: "org_id" },
  { operation: "POST /dashboard/set-admin-org", field: "domain", object: "domain" },
  { operation: "POST /dashboard/set-admin-domain", field: "org_id", object: "org_id" },
  { operation: "POST /dashboard/set-admin-domain", field: "domain", object: "domain" },
  { operation: "POST /dashboard/settings", field: "session_id", object: "session_id", body: { intent: "end_session" } },
  { operation: "POST /dashboard/settings", field: "identity_id", object: "identity_id", body: { intent: "unlink" } },
  {
    ...{ operation: "POST /dashboard/reports/schedules", field: "report_id", object: "report_id" },
    body: { cadence: "daily" },
  },
  { operation: "GET /dashboard/guide", field: "key", object: "key_id" },
  { operation: "GET /dashboard/models", field: "key", object: "key_id" },
  { operation: "GET /dashboard/activity", field: "actor", object: "user_id" },
  { operation: "GET /dashboard/activity/export", field: "actor", object: "user_id" },
  { operation: `GET ${users}/invite`, field: "org", object: "org_id" },
  { operation: "GET /dashboard/admin/models/dry-run", field: "key_id", object: "key_id" },
  { operation: "GET /dashboard/autorouter/dry-run", field: "key_id", object: "key_id" },
  { operation: "GET /dashboard/admin/api/key-rate-limit-state", field: "key_id", object: "key_id" },
  ...(["key", "user", "department", "project", "organisation"] as const).map((kind): Case => {
    const object = kind === "organisation" ? "org_id" : (`${kind}_id` as const);
    return { operation: "POST /dashboard/budgets/limit", field: "id", object, body: { kind, budget_limit: "5" } };
  }),
  { operation: "GET /dashboard/budgets/alert-history", field: "before_id", object: "delivery_id" },
  {
    ...{ operation: "POST /dashboard/billing/delegated-payer", field: "delegation_id", object: "delegation_id" },
    body: { act: "accept" },
  },
  { operation: "GET /api/billing/checkout-status", field: "checkout_id", object: "checkout_id" },
  ...["reports", "usage", "usage/export", "api/usage", "request-log", "request-log/export"].flatMap(usageFilters),
  ...["admin/api/usage", "admin/api/dashboard"].flatMap(usageFilters),
  { operation: "GET /dashboard/admin/api/usage", field: "user_id", object: "user_id" },
  {
    operation: "POST /dashboard/admin/billing",
    field: "payer_id",
    object: "org_id",
    body: { payer_kind: "organisation", amount: "5", reason: "r", request_id: randomUUID() },
  },
  ...["POST /dashboard/admin/prices", "POST /dashboard/admin/prices/review"].map((operation) => ({
    operation,
    field: "supplier_id",
    object: "provider_id" as const,
    body: { model: "none", input_per_mtok: "1" },
  })),
  ...lists("/dashboard/keys", { ids: "key_id", owner: "user_id", project: "project_id" }),
  ...lists(users, { ids: "user_id", org: "org_id", department: "department_id" }),
  {
    operation: "POST /dashboard/keys/bulk",
    field: "ids",
    object: "key_id",
    body: { intent: "suspend" },
    value: listed,
  },
  { operation: "POST /dashboard/keys/bulk", field: "project_id", object: "project_id", body: move },
  { operation: `POST ${users}/bulk`, field: "ids", object: "user_id", body: { intent: "suspend" }, value: listed },
  { operation: `POST ${users}/bulk`, field: "department_id", object: "department_id", body: move },
  {
    ...{ operation: `POST ${users}/invite/bulk`, field: "ids", object: "invite_id", value: listed },
    body: { intent: "revoke" },
  },
  {
    operation: "POST /dashboard/admin/promotions/create",
    field: "recipient_id",
    object: "org_id",
    body: { audience: "organisation", name: "p", amount: "5" },
  },
];

/** A list and its file have the same filters. */
function lists(path: string, filters: Readonly<Record<string, keyof Objects>>): Case[] {
  return [path, `${path}/export`].flatMap((list) => filtersOf(list, filters));
}

function usageFilters(page: string): Case[] {
  const all = { user: "user_id", department: "department_id", project: "project_id", organisation: "org_id" } as const;
  return filtersOf(`/dashboard/${page}`, { key: "key_id", ...all });
}

function filtersOf(path: string, filters: Readonly<Record<string, keyof Objects>>): Case[] {
  return Object.entries(filters).map(([field, object]) => ({ operation: `GET ${path}`, field, object }));
}

/** Matches names of fields that may identify an object of a tenant. */
const NAMES_AN_OBJECT = /(?:^|_)ids?$|^(?:owner|project|department|org|organisation|actor|user|key|domain|identity)$/;

/** Matching fields that identify no object: names, the portal from which a browser signs in, and idempotency ids. */
const NOTHING_TO_REACH = new Set([
  "GET /auth/idp-a domain",
  "GET /auth/idp-b domain",
  "POST /auth/accept-tos domain",
  "POST /auth/register organisation",
  "POST /dashboard/admin/billing request_id",
  "POST /dashboard/admin/promotions/create request_id",
  "POST /dashboard/billing/redeem request_id",
  // The handler looks up the guardrail only among those of the owner that the form names.
  "POST /dashboard/guardrails/remove id",
]);

const TALL: Readonly<Record<string, number>> = {
  organisation: 1_710_000_000,
  department: 1_720_000_000,
  app_user: 1_730_000_000,
  api_key: 1_740_000_000,
  project: 1_750_000_000,
  session: 1_760_000_000,
  external_identity: 1_770_000_000,
  payer_delegation: 1_780_000_000,
};

let portal: Portal;
let a: Tenant;
let b: Tenant;
let foreign: Objects;
const missing: Objects = {
  ...(MISSING as Tenant["objects"]),
  identity_id: "1999999999",
  checkout_id: randomUUID(),
  delivery_id: "1999999999",
  delegation_id: "1999999999",
  email: "nobody-has-this@example.com",
  domain: "nothing.example.com",
};

beforeAll(async () => {
  portal = await startPortal();
  // Ids that are easy to find in an answer, and as long as the ids of missing objects.
  for (const [table, first] of Object.entries(TALL))
    await portal.sql("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [table, first]);
  a = await aTenant(portal, "a");
  b = await aTenant(portal, "b");
  const { userId, email } = a.people.member.person;
  const [identity] = await portal.sql(
    `INSERT INTO external_identity (user_id, provider, issuer, subject, email)
     VALUES ($1, 'idp-a', 'https://idp.example', $2, $2) RETURNING id`,
    [userId, email],
  );
  await portal.sql("UPDATE organisation SET portal_domain = 'a.example.com' WHERE id = $1", [a.organisationId]);
  const [checkout] = await portal.sql(
    "INSERT INTO card_setup (id, user_id, livemode) VALUES ($1, $2, false) RETURNING id",
    [randomUUID(), userId],
  );
  const [delivery] = await portal.sql(
    `WITH told AS (
       INSERT INTO alert (subject_kind, subject_id, scope_kind, scope_id, scope_name, organisation_id, kind, threshold, period_start, round, limit_amt, spent, held)
       VALUES ('budget', 1, 'key', 1, $2, $3, 'refusing', 0, now(), 0, 1, 1, 0) RETURNING id)
     INSERT INTO alert_delivery (alert_id, user_id, as_manager, channel) SELECT id, $1, false, 'mail' FROM told RETURNING id`,
    [userId, a.canary, a.organisationId],
  );
  const [delegation] = await portal.sql(
    `INSERT INTO payer_delegation (user_id, payer_id, asked_by_id)
     SELECT $1, min(id), $1 FROM app_user WHERE organisation_id = $2 AND id <> $1 RETURNING id`,
    [userId, a.organisationId],
  );
  const identity_id = String(identity.id);
  foreign = {
    ...a.objects,
    identity_id,
    checkout_id: checkout.id,
    delivery_id: String(delivery.id),
    delegation_id: String(delegation.id),
    email,
    domain: "a.example.com",
  };
}, 60_000);
afterAll(() => portal?.close());

type Parameter = { name: string; in: string };
type Schema = { properties?: object; anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[] };
type Described = {
  parameters?: Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
};

const fieldsOf = (schema: Schema): string[] => [
  ...Object.keys(schema.properties ?? {}),
  ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts) => (parts ?? []).flatMap(fieldsOf)),
];

test("every id that a body or a query of the portal takes is tried here", async () => {
  const description = (await (await portal.visitor().getJson("/openapi.json")).json()) as {
    paths: Record<string, Record<string, Described>>;
  };
  const described = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], requestBody }]) => {
      const asked = parameters.filter(({ in: place }) => place === "query").map(({ name }) => name);
      const sent = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema));
      return [...new Set([...asked, ...sent])].map((field) => ({
        path,
        field,
        name: `${method.toUpperCase()} ${path}`,
      }));
    }),
  );
  const named = described.filter(({ path, field }) => !path.startsWith("/v") && NAMES_AN_OBJECT.test(field));
  expect(named.length).toBeGreaterThan(25);
  const tried = new Set(CASES.map(({ operation, field }) => `${operation} ${field}`));
  const untried = named.map(({ name, field }) => `${name} ${field}`).filter((each) => !tried.has(each));
  expect(untried.filter((each) => !NOTHING_TO_REACH.has(each))).toEqual([]);
});

describe.each(["orgAdmin", "departmentAdmin", "member", "viewer"] as const)("for another tenant's %s", (rank) => {
  test.each(CASES)("$operation takes a foreign $field like one that does not exist", async (each) => {
    const before = [await a.fingerprint(), await b.fingerprint()];
    const answers = [await ask(each, foreign), await ask(each, missing)];
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.body).not.toContain(a.canary);
    expect(answers[0]?.status).toBeLessThan(500);
    if (!each.operation.startsWith("GET")) expect(answers[0]?.status).toBeGreaterThanOrEqual(400);
    expect([await a.fingerprint(), await b.fingerprint()]).toEqual(before);
  });

  async function ask({ operation, field, object, body = {}, value }: Case, objects: Objects) {
    const [method, template] = operation.split(" ") as [HttpMethod, string];
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => b.objects[name] as string);
    const id = objects[object] as string;
    const { browser } = b.people[rank];
    const response =
      method === "GET"
        ? await browser.fetch(`${path}?${field}=${encodeURIComponent(id)}`, { headers: { accept: "application/json" } })
        : await browser.post(path, { ...body, [field]: value?.(id) ?? id } as Record<string, string>, { json: true });
    const text = (await response.text())
      .replace(/nonce="[^"]*"|nonce-[\w+/=-]+| title="[^"]* ago"/g, "")
      // Relative times change between two answers; the absolute time stays in the attribute.
      .replace(/(<time [^>]*>)[^<]*/g, "$1")
      .replaceAll(id, "…");
    return { status: response.status, body: text };
  }
});

test("an invitation says nothing about accounts elsewhere: of a foreign person's address and of nobody's", async () => {
  const { browser } = b.people.orgAdmin;
  const answers = [];
  for (const email of [foreign.email, missing.email]) {
    const response = await browser.post(`${users}/invite`, { email, role: "viewer" }, { json: true });
    const { id: _, ...body } = (await response.json()) as Record<string, unknown>;
    answers.push({ status: response.status, body });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.status).toBe(200);
});

describe("an admin key of another organisation", () => {
  let key: string;
  let theirs: { id: string };
  const MISSING_KEY = "key_0000000000000000000000";

  beforeAll(async () => {
    const make = async (tenant: Tenant, kind: string) => {
      const { browser } = tenant.people.orgAdmin;
      const made = await browser.post("/dashboard/keys/new", { name: kind, kind, owner: "nobody" }, { json: true });
      return (await made.json()) as { key: string; key_id: string };
    };
    key = (await make(b, "admin")).key;
    theirs = { id: (await make(a, "inference")).key_id };
  });

  const call = async (method: string, path: string, id: string, body?: object) => {
    const response = await fetch(`${portal.url}${path.replace("{id}", id)}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: (await response.text()).replaceAll(id, "…") };
  };

  test.each([
    ["GET", "/v1/manage/keys/{id}", undefined, 404],
    ["PATCH", "/v1/manage/keys/{id}", { name: "mine now" }, 404],
    ["DELETE", "/v1/manage/keys/{id}", undefined, 404],
    ["POST", "/v1/manage/keys/{id}/rotate", {}, 404],
    ["GET", "/v1/manage/audit-logs?key_id={id}", undefined, 200],
    ["GET", "/v1/manage/usage?key_id={id}&group_by=key", undefined, 404],
  ])("%s %s: a foreign key is like none", async (method, path, body, status) => {
    const before = await a.fingerprint();
    const answer = await call(method, path, theirs.id, body);
    expect(answer).toEqual(await call(method, path, MISSING_KEY, body));
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain(a.canary);
    expect(await a.fingerprint()).toBe(before);
  });

  test.each([
    ["GET", "/v1/manage/users/{id}", "user_id", undefined],
    ["PATCH", "/v1/manage/users/{id}", "user_id", { role: "viewer", status: "suspended" }],
    ["GET", "/v1/manage/invites/{id}", "invite_id", undefined],
    ["DELETE", "/v1/manage/invites/{id}", "invite_id", undefined],
    ["GET", "/v1/manage/organisations/{id}", "org_id", undefined],
    ["PATCH", "/v1/manage/organisations/{id}", "org_id", { name: "mine", monthly_budget: 1 }],
  ] as const)("%s %s: what is foreign is like nothing", async (method, path, object, body) => {
    const before = await a.fingerprint();
    const answer = await call(method, path, a.objects[object] as string, body);
    expect(answer).toEqual(await call(method, path, MISSING[object] as string, body));
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain(a.canary);
    expect(await a.fingerprint()).toBe(before);
  });

  test.each(["organisation_id", "user_id", "department_id", "project_id", "owner"])(
    "makes no key with a %s: there is no such field",
    async (field) => {
      const id = Number(foreign.org_id);
      const answer = await call("POST", "/v1/manage/keys", "none", { name: "k", [field]: id });
      expect(answer.status).toBe(422);
      expect(answer).toEqual(await call("POST", "/v1/manage/keys", "none", { name: "k", [field]: 1_999_999_999 }));
    },
  );
});
