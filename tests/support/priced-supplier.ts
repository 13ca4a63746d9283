import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { type Portal, type SignedIn, startPortal } from "./portal";

export const PRICES = "/dashboard/admin/prices";

/** A portal with a supplier "far", whose answers have 1,000 input and 200 output tokens, and an operator for prices. */
export function aPricedSupplier() {
  let portal: Portal;
  let operator: SignedIn;
  let far: Server;
  let supplierId: number;
  let key: string;
  let asked: Record<string, unknown> = {};

  beforeAll(async () => {
    far = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      asked = JSON.parse(text) as Record<string, unknown>;
      const { model } = asked;
      const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };
      const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model, choices, usage }));
    });
    await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
    portal = await startPortal({ env: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });
    operator = await portal.signInAs("platform_admin");
    const base_url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1`;
    const made = await send("/dashboard/admin/providers", { name: "far", kind: "chat", base_url, api_key: "sk-far" });
    supplierId = made.body.provider_id as number;
    const created = await operator.browser.post("/dashboard/keys/new", { name: "key" }, { json: true });
    ({ key } = (await created.json()) as { key: string });
  }, 120_000);
  afterAll(async () => {
    await portal?.close();
    far?.close();
  });

  const send = async (path: string, body: Record<string, unknown>) => {
    const response = await operator.browser.post(path, body, { json: true });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const price = (more: Record<string, unknown> = {}) =>
    send(PRICES, { supplier_id: supplierId, model: "far-model", input_per_mtok: "2", output_per_mtok: "8", ...more });
  const pricesOf = (model: string) =>
    portal.sql(
      `SELECT p.input_per_mtok::text AS input, p.valid_from > now() AS later FROM price p JOIN model_route r ON r.id = p.route_id
        WHERE r.model_id = $1 ORDER BY p.id`,
      [model],
    );

  /** Calls until a changed price is in effect in the gateway. Returns the charge in nano-USD. */
  async function chargeOfACall(model: string, more: Record<string, unknown> = {}): Promise<number> {
    const id = await vi.waitFor(
      async () => {
        const response = await fetch(`${portal.url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello ".repeat(900) }], ...more }),
        });
        expect(response.status).toBe(200);
        await response.text();
        return response.headers.get("x-request-id");
      },
      { timeout: 10_000, interval: 200 },
    );
    return vi.waitFor(
      async () => {
        const [row] = await portal.sql("SELECT charged::int AS charged FROM usage_event WHERE request_id = $1", [id]);
        expect(row).toBeDefined();
        return row.charged as number;
      },
      { timeout: 10_000 },
    );
  }

  return {
    /** Returns the supplier's last request. */
    asked: () => asked,
    get portal() {
      return portal;
    },
    get operator() {
      return operator;
    },
    get supplierId() {
      return supplierId;
    },
    /** The supplier's port. */
    get port() {
      return (far.address() as AddressInfo).port;
    },
    ...{ send, price, pricesOf, chargeOfACall },
  };
}
