import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Manage, manageBy } from "../../support/manage";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

/** Invitations through the management API. */
let portal: Portal;
let organisationId: number;
let admin: SignedIn;
let manage: Manage;

beforeAll(async () => {
  portal = await startPortal();
  organisationId = await portal.addOrganisation("Inviting");
  admin = await portal.signInAs("org_admin", { organisationId });
  manage = (await manageBy(portal, admin)).send;
}, 60_000);
afterAll(() => portal?.close());

let count = 0;
const anAddress = () => `invited-by-key-${count++}@example.com`;
const invitesOf = (email: string) => portal.sql("SELECT id, role FROM invite WHERE email = $1 ORDER BY id", [email]);

test("an invitation goes out by mail, is listed, read and revoked, and is in the audit log with the key", async () => {
  const email = anAddress();
  const departmentId = await portal.addDepartment(organisationId, "Search");
  const made = await manage("POST", "invites", { email, role: "viewer", department_id: departmentId });
  expect(made).toMatchObject({ status: 200 });
  expect(made.json).toMatchObject({ email, role: "viewer", status: "pending", organisation_id: organisationId });
  expect(made.json).toMatchObject({ department_id: departmentId, department: "Search" });
  expect((await portal.mail(email)).text).toContain("/invite/");
  expect(JSON.stringify(made.json)).not.toContain("/invite/");
  const { id } = made.json;
  expect((await manage("GET", `invites/${id}`)).json).toEqual(made.json);
  expect((await manage("GET", "invites?limit=1&status=pending")).json.data).toEqual([made.json]);
  const revoked = { ...made.json, status: "revoked" };
  expect((await manage("DELETE", `invites/${id}`)).json).toEqual(revoked);
  expect((await manage("DELETE", `invites/${id}`)).json).toEqual(revoked);
  const acts = await portal.sql("SELECT action, actor_label FROM act WHERE target_label = $1 ORDER BY id", [email]);
  expect(acts.map(({ action }) => action)).toEqual(["invite.create", "invite.revoke"]);
  for (const { actor_label: label } of acts) expect(label).toMatch(/ by admin key key_[0-9A-Za-z]+$/);
});

test("inviting again resends: the earlier invitation ends", async () => {
  const email = anAddress();
  const first = await manage("POST", "invites", { email, role: "member" });
  const second = await manage("POST", "invites", { email, role: "viewer" });
  expect(second.json.id).not.toBe(first.json.id);
  expect((await manage("GET", `invites/${first.json.id}`)).json.status).toBe("revoked");
});

test("under an Idempotency-Key an invitation is made and mailed once", async () => {
  const email = anAddress();
  const once = { "idempotency-key": email };
  const sent = await Promise.all(
    Array.from({ length: 4 }, () => manage("POST", "invites", { email, role: "member" }, once)),
  );
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(sent.map(({ json }) => json.id)).size).toBe(1);
  expect(await invitesOf(email)).toHaveLength(1);
});

test("what was answered once is not given again to a key whose person has another rank", async () => {
  const somebody = await portal.signInAs("org_admin", { organisationId });
  const { send } = await manageBy(portal, somebody);
  const email = anAddress();
  const invite = () => send("POST", "invites", { email, role: "member" }, { "idempotency-key": email });
  expect((await invite()).status).toBe(200);
  await portal.sql("UPDATE app_user SET role = 'member' WHERE id = $1", [somebody.person.userId]);
  expect(await invite()).toMatchObject({ status: 403, code: "permission_denied" });
});

test("the list comes in pages, newest first, each once", async () => {
  const home = await portal.addOrganisation("Pages of invitations");
  const { send } = await manageBy(portal, await portal.signInAs("org_admin", { organisationId: home }));
  const ids: number[] = [];
  for (let i = 0; i < 5; i += 1)
    ids.unshift((await send("POST", "invites", { email: anAddress(), role: "member" })).json.id);
  const seen: number[] = [];
  let cursor: string | null = "";
  do {
    const { json } = await send("GET", `invites?limit=2${cursor ? `&cursor=${cursor}` : ""}`);
    seen.push(...json.data.map(({ id }: { id: number }) => id));
    cursor = json.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(ids);
});

describe("climbing", () => {
  test.each(["org_admin", "platform_admin"])("nobody is invited as %s, whoever's key it is", async (role) => {
    const email = anAddress();
    const owner = await portal.signInAs("owner", { organisationId });
    for (const send of [manage, (await manageBy(portal, owner)).send])
      expect(await send("POST", "invites", { email, role })).toMatchObject({ status: 403, code: "forbidden" });
    expect(await invitesOf(email)).toEqual([]);
  });

  test("an owner's key invites into its organisation like an organisation admin's", async () => {
    const { send } = await manageBy(portal, await portal.signInAs("owner", { organisationId }));
    expect(await send("POST", "invites", { email: anAddress(), role: "member" })).toMatchObject({ status: 200 });
  });

  test.each([{ org_id: 1 }, { organisation_id: 1 }, { role: "owner" }, { email: "x" }, { department_id: "1" }])(
    "%j is no field or no value of an invitation",
    async (fields) => {
      const email = anAddress();
      const sent = await manage("POST", "invites", { email, role: "member", ...fields });
      expect(sent).toMatchObject({ status: 422, code: "validation_error" });
      expect(await invitesOf(email)).toEqual([]);
    },
  );

  test("an invitation of a higher rank is neither revoked nor replaced", async () => {
    const email = anAddress();
    const higher = await portal.sql(
      `INSERT INTO invite (organisation_id, email, role, token_hash, expires_at)
       VALUES ($1, $2, 'org_admin', $3, now() + interval '1 day') RETURNING id`,
      [organisationId, email, Buffer.from(email)],
    );
    expect(await manage("DELETE", `invites/${higher[0].id}`)).toMatchObject({ status: 403 });
    expect(await manage("POST", "invites", { email, role: "member" })).toMatchObject({ status: 409, code: "conflict" });
    expect(await invitesOf(email)).toEqual([{ id: higher[0].id, role: "org_admin" }]);
  });

  test("a foreign department is like none", async () => {
    const email = anAddress();
    const foreign = await portal.addDepartment(await portal.addOrganisation("Elsewhere"), "Secret");
    const bodies = [foreign, 1_999_999_999].map((department_id) => ({ email, role: "member", department_id }));
    const [theirs, none] = [await manage("POST", "invites", bodies[0]), await manage("POST", "invites", bodies[1])];
    expect(theirs).toMatchObject({ status: 404, code: "not_found" });
    expect(theirs.json).toEqual(none.json);
  });
});

test("ordinary keys, and those whose person was suspended or has another rank, invite nobody", async () => {
  const email = anAddress();
  const keys = [(await manageBy(portal, admin, "inference")).send];
  for (const change of ["status = 'suspended'", "role = 'member'"]) {
    const somebody = await portal.signInAs("org_admin", { organisationId });
    keys.push((await manageBy(portal, somebody)).send);
    await portal.sql(`UPDATE app_user SET ${change} WHERE id = $1`, [somebody.person.userId]);
  }
  for (const send of keys) {
    const refused = await send("POST", "invites", { email, role: "member" });
    expect(refused).toMatchObject({ status: 403, code: "permission_denied" });
  }
  expect(await invitesOf(email)).toEqual([]);
});

test("of parallel invitations of one address one stays open", async () => {
  const email = anAddress();
  const sent = await Promise.all(Array.from({ length: 3 }, () => manage("POST", "invites", { email, role: "member" })));
  for (const { status } of sent) expect([200, 429]).toContain(status);
  const open = await portal.sql("SELECT id FROM invite WHERE email = $1 AND revoked_at IS NULL", [email]);
  expect(open).toHaveLength(1);
});
