import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually, expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { type Script, type ScriptedSupplier, startScriptedSupplier } from "../../support/scripted-supplier";

let supplier: ScriptedSupplier;
let gateway: Gateway;
beforeAll(async () => {
  supplier = await startScriptedSupplier();
  const to = (name: string, kind: string) => ({
    ...{ name, kind, base_url: supplier.url, credentials: [{ name: "main", api_key: "sk-supplier" }] },
  });
  const model = (id: string, by: string) => ({
    ...{ id, capability: "chat", context_tokens: 9_000, max_output_tokens: 1_000 },
    routes: [{ supplier: by, upstream_model: `up-${id}`, price: { input_per_mtok: 1, output_per_mtok: 2 } }],
  });
  gateway = await startGateway({
    config: {
      suppliers: [to("chats", "chat"), to("messages", "messages")],
      models: [
        ...["plain", "streamed", "strict", "told", "asked"].map((id) => model(id, "chats")),
        model("translated", "messages"),
      ],
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  await supplier?.close();
});
beforeEach(() => {
  supplier.calls.length = 0;
});

const refuse = (message: string, param: string | null = null): Script => ({
  refusal: { status: 400, body: { error: { message, type: "invalid_request_error", param, code: null } } },
});
/** Rejects every request that has a field. */
const refusing = (field: string, message: string, param: string | null = null) =>
  supplier.answer(({ body }) => (body[field] === undefined ? { text: "Hello there" } : refuse(message, param)));
const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ messages: [{ role: "user", content: "hi" }], ...body }),
  });
const dropped = (response: Response) => response.headers.get("x-gw-dropped-params");

describe("a field that only tunes and that a supplier refuses", () => {
  test("is left out of one more attempt, named, charged once, and not sent again", async () => {
    refusing("temperature", "Unsupported parameter: 'temperature' is not supported with this model.", "temperature");
    const first = await ask("chat/completions", { model: "plain", temperature: 0.2, seed: 4 });
    expect([first.status, dropped(first)]).toEqual([200, "temperature"]);
    expect(supplier.calls.map(({ body }) => body.temperature)).toEqual([0.2, undefined]);
    expect(supplier.last().body).toMatchObject({ model: "up-plain", seed: 4 });
    expect(await usageRows(gateway, first.headers.get("x-request-id")!)).toHaveLength(1);
    const second = await ask("chat/completions", { model: "plain", temperature: 0.3 });
    expect([second.status, dropped(second)]).toEqual([200, "temperature"]);
    expect(supplier.calls).toHaveLength(3);
    const rows = await eventually(
      () =>
        gateway.sql(
          "SELECT model, field, refused, expires_at > now() AS holds FROM learned_refusal WHERE supplier = 'chats'",
        ),
      (found) => found.length > 0,
    );
    expect(rows).toEqual([{ model: "up-plain", field: "temperature", refused: 1, holds: true }]);
  });

  test("is left out of streams and of other dialects, by the client's name for it", async () => {
    refusing("stop", "Argument not supported on this model: `stop`");
    const asked = { model: "streamed", max_tokens: 50, stream: true, stop_sequences: ["x"] };
    const streamed = await ask("messages", asked);
    expect([streamed.status, dropped(streamed)]).toEqual([200, "stop_sequences"]);
    expect(await streamed.text()).toContain("message_stop");
    expect(supplier.calls).toHaveLength(2);
  });

  test("is left out of a request in the format of messages", async () => {
    refusing("top_k", "`top_k` is deprecated for this model.");
    const answer = await ask("chat/completions", { model: "translated", top_k: 4 });
    expect([answer.status, dropped(answer)]).toEqual([200, "top_k"]);
    expect(supplier.calls).toHaveLength(2);
  });

  test("ends the call where the client would rather be refused", async () => {
    refusing("temperature", "Unsupported parameter: 'temperature' is not supported with this model.", "temperature");
    const answer = await ask(
      "chat/completions",
      { model: "strict", temperature: 0.2 },
      { "x-gw-strict-params": "true" },
    );
    expect(answer.status).toBe(400);
    expect(supplier.calls).toHaveLength(1);
  });

  test("is left out once: what the second answer refuses is told", async () => {
    supplier.say(refuse("Unknown parameter: 'seed'.", "seed"), refuse("Unknown parameter: 'top_p'.", "top_p"));
    const answer = await ask("chat/completions", { model: "told", seed: 1, top_p: 0.5 });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { param: string } }).error.param).toBe("top_p");
    expect(supplier.calls).toHaveLength(2);
  });
});

test("a field that says what is asked is never left out", async () => {
  supplier.say(refuse("Unsupported parameter: 'response_format' is not supported.", "response_format"));
  const format = { response_format: { type: "json_object" }, temperature: 0.5 };
  const answer = await ask("chat/completions", { model: "asked", ...format });
  expect(answer.status).toBe(400);
  expect(supplier.calls).toHaveLength(1);
  await expectCleanBooks(gateway);
});
