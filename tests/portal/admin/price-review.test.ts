import { expect, test } from "vitest";
import { pageText } from "../../support/page-text";
import { aPricedSupplier, PRICES } from "../../support/priced-supplier";

const PAGE = "/dashboard/admin/models?tab=prices";
const far = aPricedSupplier();
const { send, price, pricesOf, chargeOfACall } = far;

const REVIEW = `${PRICES}/review`;
const page = async (fields: Record<string, string>) => {
  const response = await far.operator.browser.post(REVIEW, fields);
  return { status: response.status, html: (await response.text()).replace(/<!-- -->/g, "") };
};
/** Returns the fields of the page's form, as a browser without script sends them. */
const confirmed = (html: string) => {
  const [, form = ""] = /<form [^>]*action="\/dashboard\/admin\/prices" [^>]*>(.*?)<\/form>/s.exec(html) ?? [];
  return Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
};
const fields = (more: Record<string, string>) => ({
  ...{ supplier_id: String(far.supplierId), model: "far-review", upstream_model: "", capability: "chat", from: "" },
  ...{ input_per_mtok: "2", output_per_mtok: "8", ...more },
});

test("a price is shown with every part from what to what, and is set by the second step alone, without script", async () => {
  await price({ model: "far-review" });
  const { status, html } = await page(
    fields({ input_per_mtok: "3", flex_input_per_mtok: "1", flex_output_per_mtok: "4" }),
  );
  expect(status).toBe(200);
  expect(pageText(html)).toMatch(/Input \/ 1M \$2\.00 → \$3\.00 \+50%/);
  expect(pageText(html)).toMatch(/Flex: Output \/ 1M [^$]* → \$4\.00/);
  expect(pageText(html)).not.toMatch(/Output \/ 1M \$8\.00 →/);
  expect(await pricesOf("far-review")).toHaveLength(1);
  const set = confirmed(html);
  expect(Number(set.seen)).toBeGreaterThan(0);
  expect((await far.operator.browser.post(PRICES, set)).status).toBe(303);
  expect(await pricesOf("far-review")).toHaveLength(2);
  // Sending the same form again creates no second price.
  expect((await send(PRICES, set)).status).toBe(200);
  expect(await pricesOf("far-review")).toHaveLength(2);
  expect(pageText((await page(fields({ input_per_mtok: "3" }))).html)).toContain("Nothing would change");
});

test("a price is not set where another price has come since, and says so at either step", async () => {
  const { html } = await page(fields({ input_per_mtok: "5" }));
  const set = confirmed(html);
  expect((await price({ model: "far-review", input_per_mtok: "4" })).status).toBe(200);
  const late = await send(PRICES, set);
  expect([late.status, late.body.code]).toEqual([409, "conflict"]);
  const back = await far.operator.browser.post(PRICES, set);
  const again = await (await far.operator.browser.get(back.headers.get("location") ?? PAGE)).text();
  expect(again).toContain("Somebody has changed this price since");
  const stale = await page(fields({ base: set.seen as string, input_per_mtok: "5" }));
  expect(stale.status).toBe(409);
  expect(stale.html).toContain("Somebody has changed this price since");
  expect(stale.html).toContain('value="5"');
  expect((await pricesOf("far-review")).at(-1)).toMatchObject({ input: "4000000000" });
});

test("a price that is new, or for later, says so, and one that is wrong comes back with its field", async () => {
  const made = await page(fields({ model: "far-unheard" }));
  expect(confirmed(made.html).seen).toBe("none");
  expect(await pricesOf("far-unheard")).toEqual([]);
  await price({ model: "far-unheard" });
  expect((await send(PRICES, { ...confirmed(made.html), input_per_mtok: "9" })).status).toBe(409);
  const later = await page(
    fields({
      model: "far-unheard",
      input_per_mtok: "6",
      from: new Date(Date.now() + 86_400_000).toISOString().slice(0, 16),
    }),
  );
  expect(pageText(later.html)).toContain("In effect from");
  expect((await far.operator.browser.post(PRICES, confirmed(later.html))).status).toBe(303);
  expect(await pricesOf("far-unheard")).toEqual([
    { input: "2000000000", later: false },
    { input: "6000000000", later: true },
  ]);
  const wrong = await page(fields({ input_per_mtok: "much" }));
  expect([wrong.status, wrong.html.includes('value="much"')]).toEqual([422, true]);
  const admin = await far.portal.signInAs("org_admin");
  expect((await admin.browser.post(REVIEW, fields({}), { json: true })).status).toBe(403);
  const [{ id }] = await far.portal.sql("SELECT id FROM supplier WHERE source = 'config' LIMIT 1");
  expect((await page(fields({ supplier_id: String(id) }))).status).toBe(409);
  expect((await send(REVIEW, fields({ supplier_id: "1999999999" }))).status).toBe(404);
});

test("a price is told beside the list price, and what the last 30 days would be charged at it", async () => {
  await price();
  await chargeOfACall("far-model");
  const { body } = await send(REVIEW, { ...fields({}), model: "far-model", input_per_mtok: "6" });
  const margin = body.margin as {
    requests: number;
    hasList: boolean;
    lines: Record<string, string | number | null>[];
  };
  expect(margin).toMatchObject({ hasList: false });
  const [row] = await far.portal.sql(
    "SELECT count(*)::int AS n, sum(input_tokens)::int AS input, sum(output_tokens)::int AS output FROM usage_event WHERE model = 'far-model'",
  );
  expect(margin.requests).toBe(row.n);
  const traffic = margin.lines.find(({ name }) => name === "traffic");
  expect(Number(traffic?.after)).toBeCloseTo((row.input * 6 + row.output * 8) / 1e6, 9);
});
