import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Manage, manageBy } from "../../support/manage";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

/** Usage and wallets through the management API, with the same figures as the portal. */
let portal: Portal;
let admin: SignedIn;
let manage: Manage;
let member: SignedIn;
let key: { id: number; key: string; key_id: string };

beforeAll(async () => {
  portal = await startPortal();
  admin = await portal.signInAs("org_admin", { adminMode: true });
  manage = (await manageBy(portal, admin)).send;
  member = await portal.signInAs("member");
  key = await (await member.browser.post("/dashboard/keys/new", { name: "used" }, { json: true })).json();
  await Promise.all(["sandbox-chat", "sandbox-chat", "sandbox-messages"].map(call));
  await vi.waitFor(async () => {
    const [{ n }] = await portal.sql("SELECT count(*)::int AS n FROM usage_event");
    expect(n).toBe(3);
  }, 30_000);
}, 90_000);
afterAll(() => portal?.close());

async function call(model: string): Promise<void> {
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(response.status).toBe(200);
}

const inPortal = async (query: string) => (await admin.browser.getJson(`/dashboard/api/usage?${query}`)).json();

const SPAN = "since=2026-01-01&until=2026-12-31";

describe("usage", () => {
  test.each(["UTC", "Asia/Kathmandu", "Pacific/Apia"])("in %s it is the portal's, by every group", async (zone) => {
    await portal.sql("UPDATE app_user SET time_zone = $2 WHERE id = $1", [admin.person.userId, zone]);
    const day = new Date().getUTCFullYear();
    const span = SPAN.replaceAll("2026", String(day));
    for (const group of ["model", "user", "department", "project", "supplier", "region"]) {
      const mine = await manage("GET", `usage?${span}&time_zone=${zone}&group_by=${group}`);
      expect(mine.status).toBe(200);
      expect({ ok: true, ...mine.json }).toEqual(await inPortal(`${span}&tz=local&group=${group}`));
    }
  });

  test("keys are told by their public id, and filtered by it", async () => {
    const { json } = await manage("GET", `usage?group_by=key&key_id=${key.key_id}`);
    expect(json.groups).toHaveLength(1);
    expect(json.groups[0]).toMatchObject({ id: key.key_id, name: "used", requests: json.total.requests });
    expect(json.series[0].id).toBe(key.key_id);
  });

  test("another organisation sees nothing of it, whomever it asks about", async () => {
    const elsewhere = await portal.addOrganisation("Elsewhere");
    const { send } = await manageBy(portal, await portal.signInAs("org_admin", { organisationId: elsewhere }));
    for (const query of ["", `user_id=${member.person.userId}`, "model=sandbox-chat"]) {
      const { json } = await send("GET", `usage?${query}`);
      expect([json.total.requests, json.groups, json.series]).toEqual([0, [], []]);
    }
  });

  test.each([
    "time_zone=Mars/Base",
    "group_by=organisation",
    "since=2026-02-30",
    "since=2026-03-02&until=2026-03-01",
    "since=2024-01-01&until=2026-01-01",
    "range=1y",
    "user_id=x",
    "key_id=1",
    "model=%00",
  ])("%s is refused", async (query) => {
    expect(await manage("GET", `usage?${query}`)).toMatchObject({ status: 422, code: "validation_error" });
  });
});

describe("wallets", () => {
  test("an organisation's and its projects', in pages, with exact amounts", async () => {
    const home = await portal.addOrganisation("With wallets");
    const { send } = await manageBy(portal, await portal.signInAs("org_admin", { organisationId: home }));
    const project = async (name: string) =>
      (await portal.sql("INSERT INTO project (organisation_id, name) VALUES ($1, $2) RETURNING id", [home, name]))[0]
        .id;
    const ids = [await project("one"), await project("two")];
    const owner = await portal.signInAs("owner");
    for (const [kind, id, amount] of [
      ["organisation", home, "12.000000001"],
      ["project", ids[0], "3"],
      ["project", ids[1], "4"],
    ] as const) {
      const credit = { payer_kind: kind, payer_id: id, amount, reason: "test", request_id: crypto.randomUUID() };
      expect((await owner.browser.post("/dashboard/admin/billing", credit, { json: true })).status).toBe(200);
    }
    const seen: Record<string, unknown>[] = [];
    let cursor: string | null = "";
    do {
      const { json } = await send("GET", `wallets?limit=1${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...json.data);
      cursor = json.next_cursor;
    } while (cursor !== null);
    const still = { held: 0, credit_limit: 0, owed: 0, billing_exempt: false };
    expect(seen.map(({ id: _, ...wallet }) => wallet)).toEqual([
      {
        ...still,
        payer: "organisation",
        project_id: null,
        project: null,
        balance: 12.000000001,
        available: 12.000000001,
      },
      { ...still, payer: "project", project_id: ids[0], project: "one", balance: 3, available: 3 },
      { ...still, payer: "project", project_id: ids[1], project: "two", balance: 4, available: 4 },
    ]);
  });

  test.each(["POST", "PATCH", "DELETE"])("%s is no way to credit one, whoever's key it is", async (method) => {
    const { send } = await manageBy(portal, await portal.signInAs("owner"));
    const refused = await send(method, "wallets", { amount: 5, reason: "a gift" });
    expect(refused).toMatchObject({ status: 405, code: "method_not_allowed" });
  });
});

test.each(["usage", "wallets"])(
  "%s: not an ordinary key's, nor that of a person whose rank has ended",
  async (path) => {
    const somebody = await portal.signInAs("org_admin");
    const { send } = await manageBy(portal, somebody);
    expect((await send("GET", path)).status).toBe(200);
    await portal.sql("UPDATE app_user SET role = 'member' WHERE id = $1", [somebody.person.userId]);
    const ordinary = (await manageBy(portal, admin, "inference")).send;
    for (const each of [send, ordinary])
      expect(await each("GET", path)).toMatchObject({ status: 403, code: "permission_denied" });
  },
);
