import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { pageText } from "../../support/page-text";
import { aPricedSupplier, PRICES } from "../../support/priced-supplier";

const PAGE = "/dashboard/admin/models?tab=prices";
const far = aPricedSupplier();
const { send, price, pricesOf, chargeOfACall } = far;

describe("a price", () => {
  test("makes a model that can be called at once, and a change is charged from then on", async () => {
    expect((await price()).status).toBe(200);
    expect(await chargeOfACall("far-model")).toBe(1_000 * 2_000 + 200 * 8_000);
    expect((await price({ input_per_mtok: "3.000000001" })).status).toBe(200);
    await vi.waitFor(async () => expect(await chargeOfACall("far-model")).toBe(4_600_001), { timeout: 15_000 });
    const [event] = await far.portal.sql(
      "SELECT before, after FROM act WHERE action = 'price.update' ORDER BY id DESC LIMIT 1",
    );
    expect(event.before).toMatchObject({ input_per_mtok: "2.000000000" });
    expect(event.after).toMatchObject({ input_per_mtok: "3.000000001" });
  });

  test("that is sent again, eight times at once, is one", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => price({ model: "far-again" })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await pricesOf("far-again")).toHaveLength(1);
  });

  test("can be set for later, and is shown as such", async () => {
    await price({ model: "far-later" });
    const from = new Date(Date.now() + 86_400_000).toISOString();
    expect((await price({ model: "far-later", input_per_mtok: "9", from })).status).toBe(200);
    expect(await pricesOf("far-later")).toEqual([
      { input: "2000000000", later: false },
      { input: "9000000000", later: true },
    ]);
    expect(await chargeOfACall("far-later")).toBe(3_600_000);
    const page = await (await far.operator.browser.get(PAGE)).text();
    expect(page).toContain("far-later");
    expect(page).toContain("Scheduled");
  });

  test("is refused for the past, without an amount, above all measure, and for suppliers of the configuration", async () => {
    expect((await price({ from: "2020-01-01T00:00:00Z" })).status).toBe(400);
    expect((await price({ input_per_mtok: "", output_per_mtok: "" })).status).toBe(422);
    expect((await price({ input_per_mtok: "1000001" })).status).toBe(422);
    expect((await price({ input_per_mtok: "-1" })).status).toBe(422);
    expect((await price({ model: "two words" })).status).toBe(422);
    const [{ id }] = await far.portal.sql("SELECT id FROM supplier WHERE source = 'config' LIMIT 1");
    expect((await price({ supplier_id: id })).status).toBe(409);
    expect((await price({ supplier_id: 1_999_999_999 })).status).toBe(404);
    const member = await far.portal.signInAs("org_admin");
    const fields = { supplier_id: far.supplierId, model: randomUUID(), input_per_mtok: "1" };
    expect((await member.browser.post(PRICES, fields, { json: true })).status).toBe(403);
    expect(await pricesOf(fields.model)).toEqual([]);
  });

  test("is set by the form of the page, which keeps what was typed when it is wrong", async () => {
    const fields = { supplier_id: String(far.supplierId), model: "far-form", capability: "chat" };
    const page = await (await far.operator.browser.get(PAGE)).text();
    expect(page).toContain(`name="supplier_id"`);
    const wrong = await far.operator.browser.post(PRICES, { ...fields, input_per_mtok: "much" });
    const again = await far.operator.browser.get(wrong.headers.get("location") ?? PAGE);
    expect(wrong.status === 303 ? await again.text() : await wrong.text()).toContain("far-form");
    expect((await far.operator.browser.post(PRICES, { ...fields, input_per_mtok: "1,5" })).status).toBe(303);
    expect(await pricesOf("far-form")).toEqual([{ input: "1500000000", later: false }]);
  });
});

describe("the order in which a model's suppliers are tried", () => {
  const wayOf = async (model: string, supplier = far.supplierId): Promise<number> => {
    const [{ id }] = await far.portal.sql(
      "SELECT id FROM model_route WHERE model_id = $1 AND supplier_id = $2 AND active",
      [model, supplier],
    );
    return id as number;
  };
  const order = (way: number, body: Record<string, unknown>) => send(`${PRICES}/${way}/order`, body);
  const stored = async (way: number) => {
    const [row] = await far.portal.sql("SELECT priority, weight FROM model_route WHERE id = $1", [way]);
    return [row.priority, row.weight];
  };

  test("is changed in the row of a price, and the next request goes by it", async () => {
    await price({ model: "far-order" });
    const base_url = `http://127.0.0.1:${far.port}/v1`;
    const made = await send("/dashboard/admin/providers", { name: "nearer", kind: "chat", base_url });
    const nearer = made.body.provider_id as number;
    await price({ model: "far-order", supplier_id: nearer, input_per_mtok: "1", output_per_mtok: "1" });
    const way = await wayOf("far-order", nearer);
    expect((await order(await wayOf("far-order"), { priority: "5", weight: 1 })).status).toBe(200);
    await vi.waitFor(async () => expect(await chargeOfACall("far-order")).toBe(1_200_000), { timeout: 15_000 });
    expect((await order(way, { priority: 9, weight: "30" })).status).toBe(200);
    await vi.waitFor(async () => expect(await chargeOfACall("far-order")).toBe(3_600_000), { timeout: 15_000 });
    expect(await stored(way)).toEqual([9, 30]);
    const page = await (await far.operator.browser.get(PAGE)).text();
    expect(page).toContain(`${PRICES}/${way}/order`);
    expect(page).toContain('aria-label="Priority of far-order at nearer"');
  });

  test("has one line in the audit log for each change, and none for the same order again", async () => {
    await price({ model: "far-twice" });
    const way = await wayOf("far-twice");
    const body = { priority: 2, weight: 3 };
    const answers = await Promise.all(Array.from({ length: 6 }, () => order(way, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const acts = await far.portal.sql(
      "SELECT before, after FROM act WHERE action = 'price.order' AND target_id = $1 ORDER BY id",
      [String(way)],
    );
    expect(acts).toEqual([{ before: { priority: 1, weight: 1 }, after: body }]);
  });

  test("is refused for suppliers of the configuration, for nobody's, out of bounds, and below platform admins", async () => {
    const way = await wayOf("far-twice");
    const [{ id: configured }] = await far.portal.sql(
      "SELECT r.id FROM model_route r JOIN supplier s ON s.id = r.supplier_id WHERE s.source = 'config' LIMIT 1",
    );
    expect((await order(configured as number, { priority: 2, weight: 2 })).status).toBe(409);
    expect((await order(1_999_999_999, { priority: 2, weight: 2 })).status).toBe(404);
    for (const wrong of [
      { priority: -1 },
      { priority: 1_001 },
      { weight: 1_000_001 },
      { weight: "1.5" },
      { weight: "" },
    ])
      expect((await order(way, { priority: 7, weight: 7, ...wrong })).status, JSON.stringify(wrong)).toBe(422);
    const admin = await far.portal.signInAs("org_admin");
    const path = `${PRICES}/${way}/order`;
    expect((await admin.browser.post(path, { priority: 7, weight: 7 }, { json: true })).status).toBe(403);
    expect(await stored(way)).toEqual([2, 3]);
  });
});

describe("the profile of a model", () => {
  const wayOf = async (model: string): Promise<number> =>
    (await far.portal.sql("SELECT id FROM model_route WHERE model_id = $1 AND active", [model]))[0]?.id as number;
  const profile = (way: number, name: unknown) => send(`${PRICES}/${way}/profile`, { profile: name });
  const form = async (way: number) => (await far.operator.browser.get(`${PAGE}&edit=${way}`)).text();

  test("is what its name says until one is chosen, and decides what the supplier is asked", async () => {
    await price({ model: "blue" });
    const way = await wayOf("blue");
    expect(await form(way)).toContain("By name: general");
    await chargeOfACall("blue", { temperature: 0.3 });
    expect(far.asked()).toHaveProperty("temperature");
    expect((await profile(way, "openai/o")).status).toBe(200);
    await vi.waitFor(
      async () => {
        await chargeOfACall("blue", { temperature: 0.3 });
        expect(far.asked()).not.toHaveProperty("temperature");
      },
      { timeout: 15_000 },
    );
    expect(await form(way)).toMatch(/<option value="openai\/o" selected(="")?>/);
    expect(await (await far.operator.browser.get(PAGE)).text()).toContain("Profile: openai/o");
    expect((await profile(way, "")).status).toBe(200);
    expect(await form(way)).toMatch(/<option value="" selected(="")?>By name: general/);
  });

  test("of a name that says it is shown beside the field", async () => {
    await price({ model: "claude-sonnet-4-5" });
    expect(await form(await wayOf("claude-sonnet-4-5"))).toContain("By name: anthropic/claude-4.5");
  });

  test("has one line in the audit log for each change", async () => {
    await price({ model: "green" });
    const way = await wayOf("green");
    const answers = await Promise.all(Array.from({ length: 4 }, () => profile(way, "xai/grok-4.3")));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    const acts = await far.portal.sql(
      "SELECT before, after FROM act WHERE action = 'price.profile' AND target_id = $1",
      [String(way)],
    );
    expect(acts).toEqual([{ before: { profile: null }, after: { profile: "xai/grok-4.3" } }]);
  });

  test("is refused for a name that is none, for suppliers of the configuration, and below platform admins", async () => {
    const way = await wayOf("green");
    for (const wrong of ["openai/gpt5.6", "general", 7, null]) expect((await profile(way, wrong)).status).toBe(422);
    const [{ id }] = await far.portal.sql(
      "SELECT r.id FROM model_route r JOIN supplier s ON s.id = r.supplier_id WHERE s.source = 'config' LIMIT 1",
    );
    expect((await profile(id as number, "xai/grok-4.3")).status).toBe(409);
    expect((await profile(1_999_999_999, "xai/grok-4.3")).status).toBe(404);
    const admin = await far.portal.signInAs("org_admin");
    const refused = await admin.browser.post(`${PRICES}/${way}/profile`, { profile: "" }, { json: true });
    expect(refused.status).toBe(403);
  });
});

describe("what else a price has", () => {
  const stored = async (model: string) => {
    const rows = await far.portal.sql(
      `SELECT p.id::text AS id, p.route_id AS "routeId", p.input_per_mtok::text AS input, p.cached_input_per_mtok::text AS cached,
              p.audio_input_per_mtok::text AS audio, p.long_context AS long, p.tiers
         FROM price p JOIN model_route r ON r.id = p.route_id WHERE r.model_id = $1 ORDER BY p.id`,
      [model],
    );
    // biome-ignore lint/suspicious/noExplicitAny: an untyped database row.
    return rows.at(-1) as any;
  };
  const whole = {
    ...{ model: "whole-model", cached_input_per_mtok: "0.5", audio_input_per_mtok: "9" },
    ...{ long_1_above: "200000", long_1_input_per_mtok: "4", long_1_output_per_mtok: "12" },
    ...{ flex_input_per_mtok: "1", flex_output_per_mtok: "4", flex_asked_only: "yes" },
    ...{ priority_input_per_mtok: "4", priority_output_per_mtok: "16" },
  };

  test("is set with it: long inputs, tiers, sound", async () => {
    expect((await price(whole)).status).toBe(200);
    expect(await stored("whole-model")).toMatchObject({
      ...{ cached: "500000000", audio: "9000000000" },
      long: [{ above_input_tokens: 200_000, input_per_mtok: "4000000000", output_per_mtok: "12000000000" }],
      tiers: {
        flex: { input_per_mtok: "1000000000", output_per_mtok: "4000000000", asked_only: true },
        priority: { input_per_mtok: "4000000000", output_per_mtok: "16000000000" },
      },
    });
    expect((await price(whole)).status).toBe(200);
    expect(await pricesOf("whole-model")).toHaveLength(1);
  });

  test("is told on the model's page", async () => {
    await vi.waitFor(
      async () => {
        const html = await (await far.operator.browser.get("/dashboard/models/whole-model")).text();
        const text = pageText(html);
        expect(text).toMatch(/More than 200,000 input tokens far · \S+ \$4\.00 \$4\.00 \$12\.00/);
        expect(text).toMatch(/Flex, only when asked for far · \S+ \$1\.00 \$1\.00 \$4\.00/);
      },
      { timeout: 10_000, interval: 200 },
    );
  });

  test("stays where another part is set without a word about it, in the form's fields or left out", async () => {
    const before = await stored("whole-model");
    expect((await price({ model: "whole-model", input_per_mtok: "3" })).status).toBe(200);
    const empty = Object.fromEntries(Object.keys(whole).map((name) => [name, ""]));
    expect((await price({ ...empty, model: "whole-model", input_per_mtok: "3.5" })).status).toBe(200);
    const { id: _, input, ...after } = await stored("whole-model");
    expect(input).toBe("3500000000");
    expect(before).toMatchObject(after);
  });

  test("stands in the form that changes it, and is taken away by an empty field", async () => {
    const { id, routeId } = await stored("whole-model");
    const page = await (await far.operator.browser.get(`${PAGE}&edit=${routeId}`)).text();
    const fieldOf = (name: string) =>
      new RegExp(`name="${name}"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="${name}"`)
        .exec(page)
        ?.slice(1)
        .find((text) => text !== undefined);
    expect(fieldOf("base")).toBe(id);
    expect(fieldOf("long_1_above")).toBe("200000");
    expect(fieldOf("flex_output_per_mtok")).toBe("4.00");
    expect(fieldOf("audio_input_per_mtok")).toBe("9.00");
    const filled = { ...whole, base: id, flex_input_per_mtok: "", flex_output_per_mtok: "", cached_input_per_mtok: "" };
    expect((await price(filled)).status).toBe(200);
    expect(await stored("whole-model")).toMatchObject({ cached: null, audio: "9000000000", tiers: { priority: {} } });
    expect((await stored("whole-model")).tiers.flex).toBeUndefined();
    // The price on which this form is based has been replaced meanwhile.
    const late = await price({ ...whole, base: id, input_per_mtok: "7" });
    expect([late.status, late.body.code]).toEqual([409, "conflict"]);
    // The base price belongs to another route.
    expect((await price({ ...whole, model: "far-model", base: id })).status).toBe(409);
  });

  test("is refused in halves, with the field", async () => {
    const refused = async (more: object) => {
      const { status, body } = await price({ model: "half-model", ...more });
      return [status, JSON.stringify(body)];
    };
    expect(await refused({ flex_input_per_mtok: "1" })).toEqual([422, expect.stringContaining("flex_output_per_mtok")]);
    expect(await refused({ long_1_input_per_mtok: "1" })).toEqual([422, expect.stringContaining("long_1_above")]);
    const twice = { long_1_above: "5", long_1_input_per_mtok: "1", long_1_output_per_mtok: "1" };
    expect(
      await refused({ ...twice, long_2_above: "5", long_2_input_per_mtok: "1", long_2_output_per_mtok: "1" }),
    ).toEqual([422, expect.stringContaining("long_1_above")]);
    expect(await pricesOf("half-model")).toEqual([]);
  });

  test("is in a file of prices, too: read as it was written, nothing is another", async () => {
    const file = await (await far.operator.browser.get("/dashboard/admin/prices/export?format=csv")).text();
    expect(file).toContain("priority");
    const preview = await send("/dashboard/admin/prices/import", { act: "preview", text: file, from: "" });
    expect(preview.status).toBe(200);
    expect(preview.body.plan).toMatchObject({ changes: [], problems: [] });
    const dropped = file.split("\n").map((line) => line.replace(/,"\{""priority.*"/, ","));
    const named = await send("/dashboard/admin/prices/import", { act: "preview", text: dropped.join("\n"), from: "" });
    expect(JSON.stringify(named.body)).toContain('"tiers"');
  });
});
