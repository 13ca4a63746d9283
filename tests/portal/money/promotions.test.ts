import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const CREATE = "/dashboard/admin/promotions/create";

async function anAdmin() {
  const organisationId = await portal.addOrganisation();
  return { organisationId, ...(await portal.signInAs("org_admin", { organisationId })) };
}

async function aCode(more: Record<string, unknown> = {}) {
  const operator = await portal.signInAs("platform_admin");
  const answer = await operator.browser.post(
    CREATE,
    { name: "Welcome", amount: "5", audience: "code", ...more },
    { json: true },
  );
  return { operator, ...((await answer.json()) as { grant_id: number; code: string }) };
}

const walletOf = async (organisationId: number) => {
  const [row] = await portal.sql(
    "SELECT posted::text FROM ledger_account WHERE kind = 'wallet' AND payer_kind = 'organisation' AND payer_id = $1",
    [organisationId],
  );
  return row?.posted;
};

describe("promotions", () => {
  test("made by a form have a page with their code, which a person redeems once, and then sees what is left", async () => {
    const operator = await portal.signInAs("platform_admin");
    const form = {
      name: "Spring gift",
      amount: "5",
      audience: "code",
      recipient_id: "",
      limit_per_payer: "1",
      limit_total: "",
      expires_at: "2099-12-31",
      request_id: randomUUID(),
    };
    const made = await operator.browser.post(CREATE, form);
    const page = made.headers.get("location")!;
    expect([made.status, page]).toEqual([303, expect.stringMatching(/^\/dashboard\/admin\/promotions\/\d+$/)]);
    expect((await operator.browser.post(CREATE, form)).headers.get("location")).toBe(page);
    const [, code = ""] = />([2-9A-Z]{5}-[2-9A-Z]{5})</.exec(await (await operator.browser.get(page)).text()) ?? [];
    expect(code).not.toBe("");
    const admin = await anAdmin();
    const redeemed = await admin.browser.post("/dashboard/billing/redeem", { code: code.toLowerCase() });
    expect([redeemed.status, redeemed.headers.get("location")]).toEqual([303, "/dashboard/billing"]);
    const billing = await (await admin.browser.get("/dashboard/billing")).text();
    expect(billing).toContain("Spring gift");
    expect(billing).toContain("Dec 31, 2099");
    expect(await walletOf(admin.organisationId)).toBe("5000000000");
    const again = await admin.browser.post("/dashboard/billing/redeem", { code }, { json: true });
    expect([again.status, (await again.json()).code]).toEqual([409, "conflict"]);
    expect(await (await operator.browser.get(page)).text()).toContain(admin.person.email);
  });

  test("are answered with what is wrong beside the field, in the form that was sent", async () => {
    const operator = await portal.signInAs("platform_admin");
    const sent = await operator.browser.post(CREATE, { name: "", amount: "0", audience: "user", recipient_id: "" });
    const page = await (await operator.browser.get(sent.headers.get("location")!)).text();
    for (const field of ["name", "amount", "recipient_id"]) expect(page).toContain(`href="#new-promotion-${field}"`);
    const { browser } = await anAdmin();
    const refused = await browser.post("/dashboard/billing/redeem", { code: "no such code" });
    const billing = await (await browser.get(refused.headers.get("location")!)).text();
    expect(billing).toContain("This code isn’t valid.");
    expect(billing).toContain('value="no such code"');
  });

  test("are made and changed only with a recent proof of who one is", async () => {
    const { operator, grant_id, code } = await aCode();
    const name = `Without proof ${grant_id}`;
    const acts = [
      [CREATE, { name, amount: "5", audience: "code" }],
      [`/dashboard/admin/promotions/${grant_id}/update`, { name }],
      [`/dashboard/admin/promotions/${grant_id}/update`, { amount: "500" }],
      [`/dashboard/admin/promotions/${grant_id}/update`, { ended: "true" }],
    ] as const;
    const prove = (ago: string) =>
      portal.sql("UPDATE session SET proved_at = now() - $2::interval WHERE user_id = $1", [
        operator.person.userId,
        ago,
      ]);
    const rows = () =>
      portal.sql("SELECT id, name, amount::text, ended_at FROM promotion WHERE id = $1 OR name = $2", [grant_id, name]);
    const before = await rows();
    await prove("16 minutes");
    for (const [path, fields] of acts) {
      const refused = await operator.browser.post(path, fields, { json: true });
      expect([path, refused.status, (await refused.json()).code]).toEqual([path, 401, "authentication_required"]);
    }
    expect(await rows()).toEqual(before);
    await prove("1 minute");
    for (const [path, fields] of acts)
      expect((await operator.browser.post(path, fields, { json: true })).status).toBe(200);
    const admin = await anAdmin();
    expect((await admin.browser.post("/dashboard/billing/redeem", { code }, { json: true })).status).toBe(400);
  });

  test("are changed and ended by their own rank only, and ended ones are not given", async () => {
    const { operator, grant_id, code } = await aCode();
    const admin = await anAdmin();
    const update = `/dashboard/admin/promotions/${grant_id}/update`;
    expect((await admin.browser.post(update, { ended: "true" }, { json: true })).status).toBe(403);
    expect((await operator.browser.post(update, { amount: "7" }, { json: true })).status).toBe(200);
    await admin.browser.post("/dashboard/billing/redeem", { code }, { json: true });
    expect(await walletOf(admin.organisationId)).toBe("7000000000");
    expect((await operator.browser.post(update, { ended: "true" }, { json: true })).status).toBe(200);
    const late = await (await anAdmin()).browser.post("/dashboard/billing/redeem", { code }, { json: true });
    expect([late.status, (await late.json()).code]).toEqual([400, "invalid_request"]);
  });

  test("that are over are taken back by the job, and the ledger says so", async () => {
    const { grant_id, code } = await aCode({ expires_at: "2099-01-01" });
    const admin = await anAdmin();
    await admin.browser.post("/dashboard/billing/redeem", { code }, { json: true });
    await portal.sql("UPDATE promotion_credit SET expires_at = app_now() WHERE promotion_id = $1", [grant_id]);
    const operator = await portal.signInAs("platform_admin");
    await operator.browser.post("/dashboard/admin/jobs/apply-promotions/run", {}, { json: true });
    await expect.poll(() => walletOf(admin.organisationId), { timeout: 15_000 }).toBe("0");
    expect(await (await admin.browser.get("/dashboard/billing")).text()).toContain("Promotional credit expired");
  });
});
