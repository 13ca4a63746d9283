import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

/** The forms that remove a person's role: their lists, and the effect of the checkbox. */
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 60_000);
afterAll(() => portal?.close());

async function anAdmin() {
  const organisationId = await portal.addOrganisation();
  const { browser, person } = await portal.signInAs("org_admin", { organisationId });
  const made = await browser.post(
    "/dashboard/keys/new",
    { name: "deploys", kind: "admin", owner: "nobody" },
    { json: true },
  );
  const { key } = (await made.json()) as { key: string };
  const answer = await manage(key, { name: "minted by deploys", kind: "admin" });
  const minted = ((await answer.json()) as { key: string }).key;
  await browser.post("/dashboard/admin/users/invite", { email: `${person.userId}@new.example`, role: "member" });
  return { person, browser, keys: [key, minted], path: `/dashboard/admin/users/${person.userId}` };
}

const manage = (key: string, body: object) =>
  fetch(`${portal.url}/v1/manage/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const statuses = (keys: readonly string[]) =>
  Promise.all(keys.map(async (key) => (await manage(key, { name: "one more" })).status));

test("the page names the admin keys, ticked; sent as it stands, the form ends them and the invitations", async () => {
  const { keys, path } = await anAdmin();
  const { browser } = await portal.signInAs("platform_admin");
  const page = await (await browser.get(path)).text();
  expect(page).toContain("Revoke 2 admin keys they created or can use");
  expect(page).toContain("deploys, minted by deploys");
  expect(page).toContain("1 invitation they sent is revoked");
  const boxes = page.match(/<input[^>]*name="revoke_admin_keys"[^>]*>/g) ?? [];
  expect(boxes.filter((box) => box.includes("checkbox")).every((box) => box.includes("checked"))).toBe(true);
  expect(boxes.filter((box) => box.includes("hidden")).length).toBe(boxes.length / 2);
  // A browser's form data for a checked box followed by its hidden field.
  const form = new URLSearchParams([
    ["status", "suspended"],
    ["revoke_admin_keys", "true"],
    ["revoke_admin_keys", "false"],
  ]);
  const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  const sent = await browser.fetch(`${path}/status`, { method: "POST", headers, body: String(form) });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, path]);
  expect(await statuses(keys)).toEqual([401, 401]);
});

test("a program that says nothing of admin keys ends them; one that says no keeps them", async () => {
  const { browser } = await portal.signInAs("platform_admin");
  const gone = await anAdmin();
  const answer = await browser.post(`${gone.path}/role`, { role: "member" }, { json: true });
  expect(await answer.json()).toMatchObject({ ok: true, revoked_admin_keys: 2, revoked_invitations: 1 });
  expect(await statuses(gone.keys)).toEqual([401, 401]);
  const kept = await anAdmin();
  const status = { status: "suspended", revoke_admin_keys: "false" };
  const kind = await browser.post(`${kept.path}/status`, status, { json: true });
  expect(await kind.json()).toMatchObject({ ok: true, revoked_admin_keys: 0, revoked_invitations: 1 });
  expect(await statuses(kept.keys)).toEqual([200, 200]);
  const removed = await browser.post(`${kept.path}/hard-delete`, { confirm: kept.person.email }, { json: true });
  expect(await removed.json()).toMatchObject({ ok: true, revoked_admin_keys: 2, revoked_invitations: 0 });
  expect(await statuses(kept.keys)).toEqual([401, 401]);
});

test("the root admin key of a sign-up belongs to its founder", async () => {
  const email = "founder@signs-up.example";
  const visitor = portal.visitor();
  const fields = { email, name: "Fay Founder", password: "several words and a half", accept_terms: "on" };
  expect((await visitor.post("/auth/register", fields, { json: true })).status).toBe(200);
  const token = /token=([\w-]+)/.exec((await portal.mail(email)).text)?.[1] ?? "";
  const confirmed = await visitor.post("/auth/verify-email", { token }, { json: true });
  const { root_admin_key: key } = (await confirmed.json()) as { root_admin_key: string };
  expect(await statuses([key])).toEqual([200]);
  const [{ id }] = await portal.sql("SELECT id FROM app_user WHERE email = $1", [email]);
  const { browser } = await portal.signInAs("platform_admin");
  const answer = await browser.post(`/dashboard/admin/users/${id}/status`, { status: "suspended" }, { json: true });
  expect(await answer.json()).toMatchObject({ revoked_admin_keys: 1 });
  expect(await statuses([key])).toEqual([401]);
});
