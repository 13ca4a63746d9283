import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

test("a merge that is refused says so beside the field, and what was chosen stays", async () => {
  const [keep, gone] = [await portal.addOrganisation(), await portal.addOrganisation()];
  const boss = await portal.addPerson({ organisationId: gone, role: "org_admin" });
  const payer = await portal.addPerson({ organisationId: keep, role: "member" });
  const { browser } = await portal.signInAs("owner");
  const page = `/dashboard/admin/organisations/merging?merge=${keep}&merge=${gone}&target=${gone}`;
  const send = async (fields: Record<string, string>) => {
    const chosen = { target_org_id: String(gone), source_org_ids: String(keep), sure: "on" };
    const headers = { referer: portal.url + page };
    const answer = await browser.post("/dashboard/admin/organisations/merge", { ...chosen, ...fields }, { headers });
    expect(answer.headers.get("location")).toBe(page);
    return (await browser.follow(answer)).text();
  };
  const role = `role_${boss.userId}`;

  const noPayer = await send({ billing_user_id: "999999", [role]: "member" });
  expect(noPayer).toMatch(/id="merge-billing_user_id-problem"[^>]*>The billing user has to be an active person/);
  expect(noPayer).toContain('href="#merge-billing_user_id"');
  expect(noPayer).toMatch(/<option value="member" selected/);
  expect(noPayer).toMatch(/<input[^>]*id="merge-sure"[^>]*checked|<input[^>]*checked[^>]*id="merge-sure"/);

  const noRole = await send({ billing_user_id: String(payer.userId), [role]: "queen" });
  expect(noRole).toContain(`id="merge-${role}-problem"`);
  expect(noRole).toContain(`href="#merge-${role}"`);
  expect(noRole).toMatch(new RegExp(`<option value="${payer.userId}" selected`));
  expect(await portal.sql("SELECT 1 FROM organisation WHERE merged_into_id IS NOT NULL")).toEqual([]);
});
