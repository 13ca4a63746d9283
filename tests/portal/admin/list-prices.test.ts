import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pageText } from "../../support/page-text";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

const TAB = "/dashboard/admin/models?tab=list";
let portal: Portal;
let operator: SignedIn;
let far: Server;

beforeAll(async () => {
  far = createServer(async (request, response) => {
    for await (const _ of request);
    const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices, usage }));
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
  portal = await startPortal({ env: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });
  operator = await portal.signInAs("platform_admin");
  const base_url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1`;
  const send = async (path: string, body: object) =>
    (await operator.browser.post(path, body, { json: true })).json() as Promise<{ provider_id: number; key: string }>;
  // The name of a known provider selects its list prices.
  const { provider_id } = await send("/dashboard/admin/providers", { name: "openai", kind: "chat", base_url });
  for (const [model, input, output] of [
    ["gpt-4o", "5", "15"],
    ["house-model", "1", "1"],
  ])
    await send("/dashboard/admin/prices", {
      supplier_id: provider_id,
      model,
      input_per_mtok: input,
      output_per_mtok: output,
    });
  const { key } = await send("/dashboard/keys/new", { name: "key" });
  const call = (model: string) =>
    fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    });
  for (const model of ["gpt-4o", "gpt-4o", "house-model"])
    await vi.waitFor(async () => expect((await call(model)).status).toBe(200), { timeout: 10_000, interval: 200 });
}, 120_000);
afterAll(async () => {
  await portal?.close();
  far?.close();
});

const rowOf = async (model: string) => {
  const html = await (await operator.browser.get(`${TAB}&q=${model}`)).text();
  const body = /<table data-table="admin-list-prices"[\s\S]*?<\/table>/.exec(html)?.[0] ?? "";
  const rows = [...body.matchAll(/<tr[ >][\s\S]*?<\/tr>/g)].map(([row]) => pageText(row.replace(/<!-- -->/g, "")));
  return rows.find((row) => row.includes(model)) ?? "";
};

test("a price stands beside the list price of its provider, and what was charged beside what the same costs there", async () => {
  // The released list prices are 2.50 and 10 USD per million: two calls of 1,000 and 200 tokens cost $0.009.
  await vi.waitFor(
    async () => {
      const row = await rowOf("gpt-4o");
      expect(row).toContain("$5.00 List $2.50 +100%");
      expect(row).toContain("$15.00 List $10.00 +50%");
      expect(row).toMatch(/\$0\.016 2 requests ≥ \$0\.009 ≤ \$0\.007 \+77\.8%/);
    },
    { timeout: 15_000, interval: 300 },
  );
});

test("without a list price nothing is compared, and what was charged is shown all the same", async () => {
  await vi.waitFor(async () => expect(await rowOf("house-model")).toMatch(/No list price .*\$0\.0012 1 request – –/), {
    timeout: 15_000,
    interval: 300,
  });
});

test("says which list it is, and is for platform admins", async () => {
  expect(await (await operator.browser.get(TAB)).text()).toMatch(/genai-prices \d+\.\d+\.\d+ of \d{4}-\d\d-\d\d/);
  const admin = await portal.signInAs("org_admin");
  expect((await admin.browser.get(TAB)).status).toBe(403);
});
