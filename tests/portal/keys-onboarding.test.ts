import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, type Portal, startPortal } from "../support/portal";

let portal: Portal;

beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.close());

const stateOf = async (browser: Browser) => (await browser.getJson("/dashboard/get-started/state")).json();
const doneIn = ({ steps }: { steps: { name: string; done: boolean }[] }) =>
  steps.filter(({ done }) => done).map(({ name }) => name);

describe("the first steps", () => {
  test("tick themselves off by what is true", async () => {
    const { browser } = await portal.signInAs("member");
    expect(doneIn(await stateOf(browser))).toEqual(["verify"]);
    const made = await (await browser.post("/dashboard/keys/new", { name: "first" }, { json: true })).json();
    expect(doneIn(await stateOf(browser))).toEqual(["verify", "key"]);
    expect((await stateOf(browser)).first_request_at).toBeNull();
    const called = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(called.status).toBe(200);
    await expect.poll(async () => doneIn(await stateOf(browser))).toContain("request");
    await browser.post(`/dashboard/keys/${made.id}`, { budget_limit: 5 }, { json: true });
    expect(doneIn(await stateOf(browser))).toEqual(["verify", "key", "request", "budget"]);
  });

  test("make a key by its name, fill the call in, and show what was held and charged", async () => {
    const { browser, person } = await portal.signInAs("member");
    // Without a limit and without a payer, calls place no hold; so set a budget.
    const admin = await portal.signInAs("platform_admin");
    const limit = `/dashboard/admin/users/${person.userId}/monthly-budget`;
    expect((await admin.browser.post(limit, { monthly_budget: "5" }, { json: true })).status).toBe(200);
    const made = await browser.post("/dashboard/get-started/key", { name: "my first key" });
    expect([made.status, made.headers.get("location")]).toEqual([303, "/dashboard/get-started"]);
    const page = async () => (await browser.get("/dashboard/get-started")).text();
    const [secret = ""] = /gw_[0-9A-Za-z]{49}/.exec(await page()) ?? [];
    expect(await page()).toContain(`Bearer ${secret}`);
    await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    await expect.poll(page, { timeout: 10_000 }).toContain("Cost of");
    const [{ held, charged }] = await portal.sql(
      `SELECT h.amount::text AS held, u.charged::text FROM usage_event u JOIN hold h ON h.id = u.request_id
        WHERE u.key_id = (SELECT id FROM api_key WHERE name = 'my first key')`,
    );
    for (const nano of [charged, held, BigInt(held) - BigInt(charged)])
      expect(await page()).toContain((Number(nano) / 1e9).toFixed(9));
  });

  test("are marked, hidden, shown again and begun anew", async () => {
    const { browser } = await portal.signInAs("member");
    const act = (name: string, fields = {}) => browser.post(`/dashboard/get-started/${name}`, fields, { json: true });
    expect(doneIn(await (await act("action", { step: "guide" })).json())).toContain("guide");
    expect(doneIn(await (await act("action", { step: "key" })).json())).not.toContain("key");
    expect(doneIn(await (await act("action", { step: "guide", done: false })).json())).not.toContain("guide");
    expect((await act("action", { step: "fly" })).status).toBe(422);
    expect(await (await act("hide")).json()).toEqual({ ok: true, hidden: true });
    expect(await (await act("resume")).json()).toEqual({ ok: true, hidden: false });
    await act("action", { step: "budget" });
    await act("reset");
    expect(doneIn(await stateOf(browser))).toEqual(["verify"]);
    const form = await browser.post("/dashboard/get-started/hide");
    expect([form.status, form.headers.get("location")]).toEqual([303, "/dashboard"]);
    for (const name of ["action", "hide", "resume", "reset"])
      expect((await browser.getJson(`/dashboard/get-started/${name}`)).status).toBe(405);
  });

  test("know viewers, who make no requests, and owners, who have suppliers", async () => {
    const names = async (browser: Browser) => (await stateOf(browser)).steps.map(({ name }: { name: string }) => name);
    expect(await names((await portal.signInAs("viewer")).browser)).toEqual(["verify", "guide"]);
    expect(await names((await portal.signInAs("owner")).browser)).toContain("supplier");
  });
});

describe("settings", () => {
  test("change name, language, time zone and colours", async () => {
    const { browser, person } = await portal.signInAs("member");
    const send = (fields: object) => browser.post("/dashboard/settings", fields, { json: true });
    expect((await send({ intent: "profile", name: "Ada" })).status).toBe(200);
    expect((await send({ intent: "looks", language: "de", time_zone: "Europe/Berlin", theme: "dark" })).status).toBe(
      200,
    );
    const [row] = await portal.sql("SELECT name, language, time_zone FROM app_user WHERE id = $1", [person.userId]);
    expect(row).toEqual({ name: "Ada", language: "de", time_zone: "Europe/Berlin" });
    expect(await (await browser.get("/dashboard/settings")).text()).toContain("Einstellungen");
    for (const fields of [{ intent: "profile", name: "" }, { intent: "looks", time_zone: "Mars" }, { intent: "fly" }])
      expect((await send(fields)).status, JSON.stringify(fields)).toBe(422);
  });

  test("the display name has an address of its own", async () => {
    const { browser } = await portal.signInAs("member");
    const send = (body: object) => browser.post("/dashboard/settings/display-name", body, { json: true });
    const good = await send({ display_name: "Grace", anything: { else: true } });
    expect([good.status, await good.json()]).toEqual([200, { ok: true, display_name: "Grace" }]);
    const bad = await send({ display_name: "" });
    expect(bad.status).toBe(422);
    expect(await bad.json()).toMatchObject({ code: "validation_error", detail: [{ loc: ["body", "display_name"] }] });
    expect((await send({})).status).toBe(422);
    expect((await send([])).status).toBeGreaterThanOrEqual(400);
  });

  test("a new password needs the one before it, and signs out the other browsers", async () => {
    const { browser, person } = await portal.signInAs("member");
    const other = await portal.signIn(person);
    const send = (fields: object) =>
      browser.post("/dashboard/settings", { intent: "password", ...fields }, { json: true });
    const first = { new_password: "first horse battery", repeat_password: "first horse battery" };
    expect((await send(first)).status).toBe(200);
    expect((await other.getJson("/dashboard/get-started/state")).status).toBe(401);
    expect((await browser.getJson("/dashboard/get-started/state")).status).toBe(200);
    const next = { new_password: "second horse battery", repeat_password: "second horse battery" };
    const wrong = await send({ current_password: "guessed", ...next });
    expect([wrong.status, (await wrong.json()).code]).toEqual([401, "invalid_credentials"]);
    expect((await send({ current_password: "first horse battery", ...next })).status).toBe(200);
    expect((await send({ current_password: "x", new_password: "short" })).status).toBe(422);
    expect((await send({ current_password: "x", ...next, repeat_password: "other" })).status).toBe(422);
  });

  test("sessions end one by one or all at once, and nobody ends those of others", async () => {
    const { browser, person } = await portal.signInAs("member");
    const stranger = await portal.signInAs("member");
    const [mine, theirs] = [await portal.signIn(person), stranger.browser];
    const [{ id }] = await portal.sql("SELECT max(id)::int AS id FROM session WHERE user_id = $1", [person.userId]);
    const [{ id: foreign }] = await portal.sql("SELECT id FROM session WHERE user_id = $1", [stranger.person.userId]);
    const send = (fields: object) => browser.post("/dashboard/settings", fields, { json: true });
    const missing = await send({ intent: "end_session", session_id: 999_999 });
    const others = await send({ intent: "end_session", session_id: foreign });
    expect([others.status, await others.text()]).toEqual([404, await missing.text()]);
    expect((await theirs.getJson("/dashboard/get-started/state")).status).toBe(200);
    expect((await send({ intent: "end_session", session_id: id })).status).toBe(200);
    expect((await mine.getJson("/dashboard/get-started/state")).status).toBe(401);
    expect((await send({ intent: "end_others" })).status).toBe(200);
    expect((await browser.getJson("/dashboard/get-started/state")).status).toBe(200);
  });

  test("the last way to sign in is not unlinked", async () => {
    const { browser, person } = await portal.signInAs("member");
    const [{ id }] = await portal.sql(
      "INSERT INTO external_identity (user_id, provider, issuer, subject) VALUES ($1, 'idp-a', 'https://idp.example', 'me') RETURNING id",
      [person.userId],
    );
    const unlink = () => browser.post("/dashboard/settings", { intent: "unlink", identity_id: id }, { json: true });
    expect((await unlink()).status).toBe(409);
    const password = { intent: "password", new_password: "a horse and a battery" };
    expect((await browser.post("/dashboard/settings", password, { json: true })).status).toBe(200);
    expect((await unlink()).status).toBe(200);
    expect((await unlink()).status).toBe(404);
  });
});
