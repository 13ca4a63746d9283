import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChatGateway, eventually, expectCleanBooks, priceOf, startChatGateway } from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(async () => {
  await expectCleanBooks(gateway);
  await gateway?.close();
});

const body = (more: object = {}) => ({
  model: "fast-chat",
  messages: [{ role: "user" as const, content: "Hello" }],
  max_tokens: 4_000,
  ...more,
});

/** Returns the error of a chat completion, or null if it succeeds. */
async function refusalOf(key: string, more: object, headers: Record<string, string> = {}) {
  const response = await gateway.chat(body(more), { key, headers });
  const answer = (await response.json()) as { error?: { code: string; human_message: string; details: Details } };
  return answer.error ?? null;
}
type Details = Record<string, string | number | null | boolean>;

describe("a budget that does not cover a request", () => {
  test("is told with its arithmetic: the ceiling that it names is admitted, one token more is not", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.001, budget_period: "monthly" });
    const bytes = JSON.stringify(body()).length;
    const refused = await refusalOf(key, {});
    const fits = refused!.details.max_tokens_that_fits as number;
    expect(refused).toMatchObject({
      code: "budget_exceeded",
      details: {
        ...{ scope: "key", limit: 0.001, spent: 0, held: 0, available: 0.001 },
        ...{ max_cost: Number(priceOf(bytes, 4_000)) / 1e9, max_input_tokens: bytes, max_output_tokens: 4_000 },
        output_field: "max_tokens",
      },
    });
    expect(refused!.human_message).toBe(
      `$0.001 of this API key’s budget is left, and this request could cost up to $${Number(priceOf(bytes, 4_000)) / 1e9}. ` +
        `Set max_tokens to ${fits} or less. To send it as it is, raise the budget.`,
    );
    const one = await refusalOf(key, { max_tokens: fits + 1 });
    expect(one!.details.max_tokens_that_fits).toBe(fits);
    expect(await refusalOf(key, { max_tokens: fits })).toBeNull();
  });

  test("says that nothing fits when the input alone costs more", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.00001, budget_period: "daily" });
    const refused = await refusalOf(key, {});
    expect(refused!.details).toMatchObject({ scope: "key", max_tokens_that_fits: null });
    expect(refused!.human_message).toContain("The input alone costs more than that");
  });

  test("is remembered with it, for the page of the key", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.001, budget_period: "monthly" });
    const refused = await refusalOf(key, {});
    const [row] = await eventually(
      () =>
        gateway.sql(
          "SELECT r.details FROM gateway_refusal r JOIN api_key k ON k.id = r.key_id WHERE k.secret_last4 = $1",
          [key.slice(-4)],
        ),
      (rows) => rows.length > 0,
    );
    expect(row.details).toEqual(refused!.details);
  });

  test("is read by the official clients", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.001, budget_period: "monthly" });
    const openai = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const chat = (await openai.chat.completions.create(body()).catch((error) => error)) as {
      error: { details: Details };
    };
    expect(chat.error.details).toMatchObject({ scope: "key", max_tokens_that_fits: expect.any(Number) });
    const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
    const messages = (await anthropic.messages.create(body()).catch((error) => error)) as {
      error: { error: { details: Details } };
    };
    expect(messages.error.error.details).toMatchObject({ scope: "key", output_field: "max_tokens" });
  });
});

describe("x-gw-fit-output: true", () => {
  const fit = { "x-gw-fit-output": "true" };

  test.each([false, true])("lowers the ceiling to what fits, and says so (stream: %s)", async (stream) => {
    const { key } = await gateway.createKey({ budget_limit: 0.001, budget_period: "monthly" });
    const refused = await refusalOf(key, { stream });
    const response = await gateway.chat(body({ stream }), { key, headers: fit });
    expect(response.status).toBe(200);
    await response.text();
    expect(response.headers.get("x-gw-fitted-max-tokens")).toBe(String(refused!.details.max_tokens_that_fits));
    const { hold } = await gateway.booked(response.headers.get("x-request-id")!);
    expect(hold!.amount).toBeLessThanOrEqual(1_000_000n);
    expect(hold!.amount).toBeGreaterThan(1_000_000n - 2_000n);
    const sent = await lastSent();
    expect(sent.max_tokens).toBe(refused!.details.max_tokens_that_fits);
  });

  test("works for the messages dialect", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.001, budget_period: "monthly" });
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", ...fit },
      body: JSON.stringify(body()),
    });
    expect(response.status).toBe(200);
    await response.text();
    expect((await lastSent()).max_tokens).toBe(Number(response.headers.get("x-gw-fitted-max-tokens")));
  });

  test("is a switch on the key, which a request turns off; a request that fits is left alone", async () => {
    const metadata = { fit_output: "true" };
    const { key } = await gateway.createKey({ budget_limit: 0.001, budget_period: "monthly", metadata });
    expect(await refusalOf(key, {}, { "x-gw-fit-output": "false" })).toMatchObject({ code: "budget_exceeded" });
    const small = await gateway.chat(body({ max_tokens: 5 }), { key });
    expect([small.status, small.headers.get("x-gw-fitted-max-tokens")]).toEqual([200, null]);
    const large = await gateway.chat(body(), { key });
    expect(Number(large.headers.get("x-gw-fitted-max-tokens"))).toBeGreaterThan(100);
    expect(large.status).toBe(200);
  });

  test("forty at once spend no more than there is", async () => {
    const { key, id } = await gateway.createKey({ budget_limit: 0.0004, budget_period: "monthly" });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        gateway.chat(body(), { key, headers: fit }).then(async (response) => {
          await response.text();
          return response.status;
        }),
      ),
    );
    expect(answers.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(answers).toContain(200);
    const [row] = await gateway.sql(
      `SELECT coalesce(sum(charged), 0)::int AS charged FROM usage_event u JOIN api_key k ON k.id = u.key_id WHERE k.public_id = '${id}'`,
    );
    expect(row.charged).toBeLessThanOrEqual(400_000);
  });
});

describe("what others share", () => {
  test("is no figure in a refusal of a key that belongs to nobody", async () => {
    const { key } = await gateway.createKey();
    await gateway.sql("SELECT wallet_mark_exempt(id, false, 'test') FROM ledger_account WHERE kind = 'wallet'");
    const refused = await refusalOf(key, {});
    await gateway.sql("SELECT wallet_mark_exempt(id, true, 'test') FROM ledger_account WHERE kind = 'wallet'");
    expect(refused!.code).toBe("billing_limit_reached");
    const names = Object.keys(refused!.details).sort();
    expect(names).toEqual([
      ...["action_url", "max_cost", "max_input_tokens", "max_output_tokens", "payer", "pays_itself", "scope"],
    ]);
    expect(refused!.details.action_url).toContain("/dashboard/billing");
    expect(refused!.human_message).toContain(`ask ${refused!.details.payer} to add funds`);
  });
});

/** Returns the supplier's last request. */
async function lastSent(): Promise<{ max_tokens?: number }> {
  const { requests } = await gateway.standIn.seen();
  return JSON.parse(requests.at(-1)!.body) as { max_tokens?: number };
}
