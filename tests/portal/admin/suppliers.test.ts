import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

const PAGE = "/dashboard/admin/models";
const NEW = "/dashboard/admin/providers";
const SECRET = "sk-canary-0123456789";
let portal: Portal;
let operator: SignedIn;
beforeAll(async () => {
  portal = await startPortal();
  operator = await portal.signInAs("platform_admin");
}, 120_000);
afterAll(() => portal?.close());

const send = async (path: string, body: Record<string, unknown>) => {
  const response = await operator.browser.post(path, body, { json: true });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

async function aSupplier(more: Record<string, unknown> = {}) {
  const name = `far-${randomUUID().slice(0, 8)}`;
  const fields = { name, kind: "chat", base_url: "https://api.example.com/v1/", api_key: SECRET, ...more };
  const { status, body } = await send(NEW, fields);
  expect(status).toBe(200);
  return { id: body.provider_id as number, name };
}

const rowOf = async (id: number) => {
  const [row] = await portal.sql(
    `SELECT name, kind, base_url, region, source, status,
            (SELECT string_agg(sealed_token, ' ') FROM supplier_credential WHERE supplier_id = s.id) AS sealed
       FROM supplier s WHERE id = $1`,
    [id],
  );
  return row;
};
const events = (id: number) =>
  portal.sql("SELECT action, before, after FROM act WHERE target_kind = 'supplier' AND target_id = $1 ORDER BY id", [
    String(id),
  ]);

describe("a supplier", () => {
  test("is added by a form, with its key sealed, on no page and not in the audit log", async () => {
    const name = `form-${randomUUID().slice(0, 8)}`;
    const sent = await operator.browser.post(NEW, {
      ...{ name, kind: "messages", base_url: "https://api.example.com/v1/", region: "", api_key: SECRET },
    });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, PAGE]);
    const page = await (await operator.browser.get(PAGE)).text();
    expect(page).toContain(name);
    expect(page).not.toContain(SECRET);
    const [{ id } = { id: 0 }] = await portal.sql("SELECT id FROM supplier WHERE name = $1", [name]);
    const row = await rowOf(Number(id));
    expect(row).toMatchObject({ base_url: "https://api.example.com/v1", region: "global", source: "portal" });
    expect(row?.sealed).toMatch(/^gw1\./);
    const [event] = await events(Number(id));
    expect(event).toMatchObject({ action: "supplier.create", after: { name, api_key: "set" } });
    expect(JSON.stringify(event)).not.toContain(SECRET);
  });

  test.each([
    "http://api.example.com/v1",
    "https://127.0.0.1/v1",
    "https://10.1.2.3/v1",
    "https://169.254.169.254/latest",
    "https://[::1]/v1",
    "https://[::ffff:10.0.0.1]/v1",
    "https://2130706433/v1",
    "https://user:pass@api.example.com/v1",
    "https://api.example.com/v1?key=1",
    "file:///etc/passwd",
  ])("is refused at %s", async (base_url) => {
    const { status, body } = await send(NEW, { name: `no-${randomUUID().slice(0, 8)}`, kind: "chat", base_url });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(JSON.stringify(body)).toContain("https address without a password");
  });

  test("has a name of its own, however many add it at once", async () => {
    const fields = { name: `one-${randomUUID().slice(0, 8)}`, kind: "chat", base_url: "https://api.example.com/v1" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(NEW, fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect((await send(NEW, { ...fields, name: "sandbox" })).status).toBe(409);
  });

  test("keeps its key on its host: another host asks for the key again", async () => {
    const { id } = await aSupplier();
    const before = await rowOf(id);
    const moved = await send(`${NEW}/${id}/update`, { base_url: "https://elsewhere.example/v1" });
    expect(moved.status).toBe(400);
    expect(JSON.stringify(moved.body)).toContain("belongs to another host");
    expect(await rowOf(id)).toEqual(before);
    expect((await send(`${NEW}/${id}/update`, { base_url: "https://api.example.com/v2" })).status).toBe(200);
    const other = { base_url: "https://elsewhere.example/v1", api_key: "sk-another" };
    expect((await send(`${NEW}/${id}/update`, other)).status).toBe(200);
    const after = await rowOf(id);
    expect(after?.base_url).toBe("https://elsewhere.example/v1");
    expect(after?.sealed).not.toBe(before?.sealed);
  });

  test("is changed once, however often the same is sent", async () => {
    const { id } = await aSupplier();
    for (let time = 0; time < 3; time += 1)
      expect((await send(`${NEW}/${id}/update`, { draining: "true", region: "eu" })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ status: "draining", region: "eu" });
    expect((await events(id)).map(({ action }) => action)).toEqual(["supplier.create", "supplier.update"]);
  });

  test("of the configuration can be drained, not changed or deleted", async () => {
    const [{ id } = { id: 0 }] = await portal.sql("SELECT id FROM supplier WHERE name = 'sandbox'");
    expect((await send(`${NEW}/${id}/update`, { region: "mars" })).status).toBe(409);
    expect((await send(`${NEW}/${id}/delete`, { confirm: "sandbox" })).status).toBe(409);
    expect((await send(`${NEW}/${id}/update`, { draining: "true" })).status).toBe(200);
    expect(await rowOf(Number(id))).toMatchObject({ status: "draining", source: "config" });
    expect((await send(`${NEW}/${id}/update`, { draining: "false" })).status).toBe(200);
    expect(await rowOf(Number(id))).toMatchObject({ status: "active" });
  });

  test("is deleted with its key once its name is typed, and its name is free again without the key", async () => {
    const { id, name } = await aSupplier();
    expect((await send(`${NEW}/${id}/delete`, { confirm: "something" })).status).toBe(400);
    expect((await send(`${NEW}/${id}/delete`, { confirm: name })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ status: "inactive", sealed: null });
    expect((await send(`${NEW}/${id}/delete`, { confirm: name })).status).toBe(404);
    expect((await send(`${NEW}/${id}/update`, { region: "eu" })).status).toBe(404);
    const again = await aSupplier({ name, api_key: "" });
    expect(await rowOf(again.id)).toMatchObject({ status: "active", sealed: null });
  });

  test("is the business of platform admins who have just proved who they are", async () => {
    const { browser } = await portal.signInAs("org_admin");
    const body = { name: "theirs", kind: "chat", base_url: "https://api.example.com/v1" };
    expect((await browser.post(NEW, body, { json: true })).status).toBe(403);
    const late = await portal.signInAs("platform_admin");
    await portal.sql("UPDATE session SET proved_at = now() - interval '1 day' WHERE user_id = $1", [
      late.person.userId,
    ]);
    const refused = await late.browser.post(NEW, body, { json: true });
    expect([refused.status, (await refused.json()).code]).toEqual([401, "authentication_required"]);
  });
});
