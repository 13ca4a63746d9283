import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateSecret } from "~/domain/keys/secrets/secret";
import { NOTES } from "~/openapi/notes";
import { type Manage, manageBy } from "../../support/manage";
import { type Portal, startPortal } from "../../support/portal";
import { aTenant, type Tenant } from "../../support/tenants";

/** All operations of the management API, which are tried with every insufficient credential. */
const OPERATIONS = Object.keys(NOTES).filter((name) => name.includes(" /v1/manage/"));
/** Operations that act as a person; operations on keys and audit logs are allowed for every admin key. */
const OF_PEOPLE = OPERATIONS.filter((name) => !/\/v1\/manage\/(?:keys|audit-logs)/.test(name));

let portal: Portal;
let tenant: Tenant;
let admin: Manage;
let target: string;
const refused: Record<string, string> = {};

beforeAll(async () => {
  portal = await startPortal();
  tenant = await aTenant(portal, "managed");
  const { organisationId } = tenant;
  admin = (await manageBy(portal, tenant.people.orgAdmin)).send;
  target = (await admin("POST", "keys", { name: "target" })).json.id;
  refused.made_up = generateSecret();
  refused.ordinary = (await manageBy(portal, tenant.people.orgAdmin, "inference")).key;
  const revoked = (await admin("POST", "keys", { name: "revoked", kind: "admin" })).json;
  await admin("DELETE", `keys/${revoked.id}`);
  refused.revoked = revoked.key;
  for (const [name, change] of Object.entries({
    suspended: "status = 'suspended'",
    demoted: "role = 'member'",
    moved: "organisation_id = (SELECT min(id) FROM organisation)",
  })) {
    const somebody = await portal.signInAs("org_admin", { organisationId });
    refused[name] = (await manageBy(portal, somebody)).key;
    await portal.sql(`UPDATE app_user SET ${change}, department_id = NULL WHERE id = $1`, [somebody.person.userId]);
  }
  refused.nobodys = portal.gateway.adminKey;
}, 90_000);
afterAll(() => portal?.close());

async function send(operation: string, headers: Record<string, string>) {
  const [method = "", path = ""] = operation.split(" ");
  const notes = NOTES[operation];
  const example = typeof notes === "string" ? undefined : notes?.example;
  const objects: Record<string, string> = { ...tenant.objects, key_id: target };
  const response = await fetch(portal.url + path.replace(/\{(\w+)\}/g, (_, name: string) => objects[name] ?? "0"), {
    method,
    headers,
    body: example === undefined ? undefined : JSON.stringify(example),
  });
  const json = response.headers.get("content-type")?.includes("json") ? await response.json() : null;
  return { status: response.status, code: json?.error?.code as string | undefined };
}
const by = (name: string) => ({ authorization: `Bearer ${refused[name]}` });

describe("nobody without an active admin key", () => {
  test.each(OPERATIONS)("%s", async (operation) => {
    const before = await tenant.fingerprint();
    const session = { cookie: [...tenant.people.orgAdmin.browser.cookies].map((pair) => pair.join("=")).join("; ") };
    for (const headers of [{}, session])
      expect(await send(operation, headers)).toEqual({ status: 401, code: "missing_api_key" });
    expect(await send(operation, by("made_up"))).toEqual({ status: 401, code: "invalid_api_key" });
    expect(await send(operation, by("ordinary"))).toEqual({ status: 403, code: "permission_denied" });
    expect([401, 403]).toContain((await send(operation, by("revoked"))).status);
    expect(await tenant.fingerprint()).toBe(before);
  });
});

describe("no admin key of whom is not an active admin of its organisation", () => {
  test.each(OF_PEOPLE)("%s", async (operation) => {
    const before = await tenant.fingerprint();
    for (const name of ["suspended", "demoted", "moved", "nobodys"])
      expect(await send(operation, by(name)), name).toEqual({ status: 403, code: "permission_denied" });
    expect(await tenant.fingerprint()).toBe(before);
  });
});

test("there are operations to try", () => {
  expect(OF_PEOPLE.length).toBeGreaterThan(10);
  expect(OPERATIONS.length).toBeGreaterThan(OF_PEOPLE.length);
});

test("a request that breaks off half-way makes nothing, and its Idempotency-Key is still new", async () => {
  const { key, send: post } = await manageBy(portal, tenant.people.orgAdmin);
  const { hostname, port } = new URL(portal.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const head = ["POST /v1/manage/keys HTTP/1.1", `host: ${hostname}`, `authorization: Bearer ${key}`];
  socket.write([...head, "idempotency-key: half", "content-length: 100", "", '{"name":"half"'].join("\r\n"));
  socket.end();
  socket.resume();
  await once(socket, "close");
  const whole = await post("POST", "keys", { name: "half" }, { "idempotency-key": "half" });
  expect(whole.status).toBe(200);
  expect(whole.headers.get("idempotent-replayed")).toBeNull();
  expect(await portal.sql("SELECT public_id FROM api_key WHERE name = 'half'")).toEqual([{ public_id: whole.json.id }]);
});

test("an oversized body is refused with and without an Idempotency-Key, and leaves nothing", async () => {
  const body = `{"name":"${"x".repeat(1_100_000)}"}`;
  const both: Record<string, string>[] = [{}, { "idempotency-key": "large" }];
  for (const headers of both)
    expect(await admin("POST", "keys", body, headers)).toMatchObject({ status: 413, code: "request_too_large" });
  expect(await portal.sql("SELECT 1 FROM managed_request WHERE idem_key = 'large'")).toEqual([]);
});
