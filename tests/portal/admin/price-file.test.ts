import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

const PAGE = "/dashboard/admin/prices/import";
const EXPORT = "/dashboard/admin/prices/export";
let portal: Portal;
let operator: SignedIn;
beforeAll(async () => {
  portal = await startPortal();
  operator = await portal.signInAs("platform_admin");
  const supplier = { name: "far", kind: "chat", base_url: "https://api.example.com/v1" };
  const { provider_id } = (await (
    await operator.browser.post("/dashboard/admin/providers", supplier, { json: true })
  ).json()) as { provider_id: number };
  for (const model of ["one", "two"]) {
    const price = { supplier_id: provider_id, model, input_per_mtok: "2", output_per_mtok: "8" };
    expect((await operator.browser.post("/dashboard/admin/prices", price, { json: true })).status).toBe(200);
  }
}, 120_000);
afterAll(() => portal?.close());

const csv = (...lines: string[]) => ["supplier,model,input_per_mtok,output_per_mtok", ...lines].join("\n");
const pricesOf = async (model: string) =>
  (
    await portal.sql(
      "SELECT p.input_per_mtok::text AS input FROM price p JOIN model_route r ON r.id = p.route_id WHERE r.model_id = $1 ORDER BY p.id",
      [model],
    )
  ).map(({ input }) => input);
const send = async (body: Record<string, unknown>) => {
  const response = await operator.browser.post(PAGE, body, { json: true });
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON, as a program reads it.
  return { status: response.status, body: (await response.json()) as any };
};
const unescaped = (html: string) => html.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

test("a pasted file is previewed and then set by the forms of the page, without script", async () => {
  const preview = await operator.browser.post(PAGE, { act: "preview", text: csv("far,one,3.000000001,8"), from: "" });
  expect(preview.status).toBe(200);
  const html = unescaped(await preview.text());
  expect(html).toContain("$3.000000001");
  expect(html).toMatch(/\+50\s?%/);
  expect(html).toContain("Set 1 price");
  expect(await pricesOf("one")).toEqual(["2000000000"]);
  const [, fingerprint = ""] = /name="fingerprint" value="([0-9a-f]{64})"/.exec(html) ?? [];
  const [, text = ""] = /<textarea hidden="" readOnly="" name="text">([\s\S]*?)<\/textarea>/i.exec(html) ?? [];
  const applied = await operator.browser.post(PAGE, { act: "apply", text, from: "", fingerprint });
  expect(await applied.text()).toContain("1 price set");
  expect(await pricesOf("one")).toEqual(["2000000000", "3000000001"]);
  const again = await operator.browser.post(PAGE, { act: "apply", text, from: "", fingerprint });
  expect(await again.text()).toContain("Nothing was changed");
  expect(await pricesOf("one")).toHaveLength(2);
});

test("an uploaded file counts before the text of an earlier attempt", async () => {
  const form = new FormData();
  form.set("act", "preview");
  form.set("text", csv("far,two,9,9"));
  form.set("file", new File([csv("far,two,7,8")], "prices.csv", { type: "text/csv" }));
  const sent = new Request("http://x/", { method: "POST", body: form });
  const response = await operator.browser.fetch(PAGE, {
    method: "POST",
    headers: { "content-type": sent.headers.get("content-type") ?? "" },
    body: await sent.text(),
  });
  const html = await response.text();
  expect([response.status, html.includes("$7.00"), html.includes("$9.00")]).toEqual([200, true, false]);
});

test("what was previewed is what is set, or nothing: another file or another price since is refused", async () => {
  const text = csv("far,two,3,8");
  const { body: preview } = await send({ text });
  expect(preview.plan).toMatchObject({
    changes: [{ model: "two", amounts: [{ from: "2.00", to: "3.00", share: 0.5 }] }],
  });
  const { fingerprint } = preview.plan as { fingerprint: string };
  const before = await pricesOf("two");
  expect((await send({ act: "apply", text: csv("far,two,4,8"), fingerprint })).status).toBe(409);
  expect((await send({ act: "apply", text, fingerprint: "0".repeat(64) })).status).toBe(409);
  expect((await send({ act: "apply", text })).status).toBe(400);
  expect((await send({ act: "apply", text, fingerprint, from: "2020-01-01T00:00:00Z" })).status).toBe(400);
  expect(await pricesOf("two")).toEqual(before);
  expect((await send({ act: "apply", text, fingerprint })).body).toMatchObject({ ok: true, applied: { changed: 1 } });
});

test("every line with a problem is named, and none of the others can be set", async () => {
  const text = csv("far,one,much,8", "far,none,1,1", "far,two,5,8");
  const html = await (await operator.browser.post(PAGE, { act: "preview", text })).text();
  for (const words of [
    "input_per_mtok isn’t a price",
    "No supplier serves this model",
    "1 price changes",
    "2 problems",
  ])
    expect(html).toContain(words);
  expect(html).not.toContain("fingerprint");
  const { body } = await send({ text });
  expect((await send({ act: "apply", text, fingerprint: body.plan.fingerprint })).status).toBe(409);
  const unread = await (await operator.browser.post(PAGE, { act: "preview", text: "supplier,prize\nfar,1" })).text();
  expect(unread).toContain("prize");
  expect(unread).toContain("far,1</textarea>");
});

test("what is downloaded changes nothing when it is uploaded, as CSV and as JSON", async () => {
  for (const format of ["csv", "json"]) {
    const response = await operator.browser.get(`${EXPORT}?format=${format}`);
    expect(response.headers.get("content-disposition")).toContain(`prices.${format}`);
    const text = await response.text();
    expect(text).toContain("sandbox-chat");
    const { body } = await send({ text });
    expect(body.plan).toMatchObject({ changes: [], problems: [] });
    expect(body.plan.unchanged).toBeGreaterThan(20);
  }
});

test("a text that is too long is refused", async () => {
  expect((await send({ text: "x".repeat(500_001) })).status).toBe(422);
});

test("it is for platform admins who have just proved who they are", async () => {
  const admin = await portal.signInAs("org_admin");
  expect((await admin.browser.get(PAGE)).status).toBe(403);
  expect((await admin.browser.get(EXPORT)).status).toBe(403);
  expect((await admin.browser.post(PAGE, { text: csv("far,one,1,1") }, { json: true })).status).toBe(403);
  const late = await portal.signInAs("platform_admin");
  await portal.sql("UPDATE session SET proved_at = now() - interval '1 day' WHERE user_id = $1", [late.person.userId]);
  expect((await late.browser.post(PAGE, { text: csv("far,one,1,1") }, { json: true })).status).toBe(401);
});
