import { afterAll, beforeAll, expect, test } from "vitest";
import { BODIES } from "../portal/manage/bodies";
import { type Portal, startPortal } from "../support/portal";
import { aTenant, MISSING, type Tenant } from "../support/tenants";
import { pathWith, type UnsafeOperation, unsafeOperations } from "./operations";
import { FULL, faultIn, overAll, report } from "./target";

let target: Portal;
let victim: Tenant;
let operations: UnsafeOperation[];
beforeAll(async () => {
  target = await startPortal();
  victim = await aTenant(target, "victim");
  operations = (await unsafeOperations()).filter(({ path }) => /^\/(dashboard|api)\//.test(path));
}, 180_000);
afterAll(() => target?.close());

const RANKS = FULL ? (["orgAdmin", "departmentAdmin", "member", "viewer"] as const) : (["orgAdmin", "member"] as const);

/** Fields that would grant rights if an operation accepted them from any caller. */
const PRIVILEGES: Readonly<Record<string, unknown>> = {
  role: "owner",
  status: "active",
  billing_exempt: true,
  billingExempt: true,
  credit_limit: "1000000",
  credit_ceiling: "1000000",
  org_id: 1,
  organisation_id: 1,
  email_verified_at: "2026-01-01T00:00:00Z",
  is_admin: true,
  id: 1,
  user_id: 1,
  __proto__: { role: "owner" },
  constructor: { prototype: { role: "owner" } },
};

/** Returns another tenant's object for a body field that can name one. */
function foreignValue(field: string, { objects, people, canary }: Tenant): string | undefined {
  if (/source_org_ids/.test(field)) return objects.org_id;
  if (/billing_user|user_id$/.test(field)) return objects.user_id;
  if (/org/.test(field)) return objects.org_id;
  if (/department/.test(field)) return objects.department_id;
  if (/project/.test(field)) return objects.project_id;
  if (/key_id/.test(field)) return objects.key_id;
  if (/invite/.test(field)) return objects.invite_id;
  if (/session/.test(field)) return objects.session_id;
  if (/token/.test(field)) return objects.token;
  if (/email/.test(field)) return people.member.person.email;
  if (/slug|domain/.test(field)) return canary;
  return undefined;
}

test.each(RANKS)(
  "another tenant's %s changes nothing and learns nothing by ids in bodies",
  async (rank) => {
    const attacker = await aTenant(target, `attacker-${rank}`);
    const { browser } = attacker.people[rank];
    const before = await victim.fingerprint();
    const tries = operations.flatMap((operation) => {
      const named = operation.fields.flatMap((field) => {
        const value = foreignValue(field, victim);
        return value === undefined ? [] : [{ [field]: value }];
      });
      const all = Object.assign({}, ...named) as Record<string, string>;
      return [...named, all].flatMap((ids) =>
        [attacker.objects, victim.objects, MISSING].map((objects) => ({ operation, objects, ids })),
      );
    });
    const wrong = await overAll(tries, 8, async ({ operation: { path, method, name }, objects, ids }) => {
      const body = { ...BODIES[name], ...ids };
      const response = await browser.post(pathWith(path, objects), body, { json: true, method });
      const text = await response.text();
      const fault = faultIn(response.status, response.headers.get("content-type"), text);
      if (fault !== null) return `${name} ${JSON.stringify(ids)}: ${fault}`;
      // The answer may repeat the sent ids, but contain no other data of the victim.
      const sent = Object.values(ids).reduce((rest, value) => rest.replaceAll(value, ""), text);
      return sent.includes(victim.canary) ? `${name} ${JSON.stringify(ids)} tells of the victim` : null;
    });
    report({ group: `ids of others in paths and bodies (${rank})`, requests: tries.length, wrong });
    expect(wrong).toEqual([]);
    expect(await victim.fingerprint()).toBe(before);
  },
  300_000,
);

test("nobody gives themselves a right by sending it along", async () => {
  const attacker = await aTenant(target, "climber");
  const { browser, person } = attacker.people.member;
  const rights = () =>
    target.sql(
      "SELECT role, status, billing_exempt, billing_mode, organisation_id, department_id FROM app_user WHERE id = $1",
      [person.userId],
    );
  const before = await rights();
  const wrong = await overAll(operations, 8, async ({ path, method, name }) => {
    const body = { ...PRIVILEGES, ...BODIES[name] };
    const response = await browser.post(pathWith(path, attacker.objects), body, { json: true, method });
    const fault = faultIn(response.status, response.headers.get("content-type"), await response.text());
    return fault === null ? null : `${name}: ${fault}`;
  });
  report({ group: "privileged fields sent along", requests: operations.length, wrong });
  expect(wrong).toEqual([]);
  expect(await rights()).toEqual(before);
}, 120_000);
