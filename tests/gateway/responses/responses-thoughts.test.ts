import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentSupplier, startAgentSupplier } from "../../support/agent-supplier";
import { type Gateway, startGateway } from "../../support/gateway";

let supplier: AgentSupplier;
let gateway: Gateway;
let client: OpenAI;
beforeAll(async () => {
  supplier = await startAgentSupplier();
  gateway = await startGateway({
    config: {
      suppliers: [
        {
          ...{ name: "own", kind: "chat", base_url: supplier.url, responses: true },
          credentials: [{ name: "main", api_key: "sk-supplier" }],
        },
      ],
      models: [
        {
          ...{ id: "smart", capability: "chat", context_tokens: 8_000, max_output_tokens: 1_000 },
          routes: [{ supplier: "own", upstream_model: "gpt-5.4", price: { input_per_mtok: 1, output_per_mtok: 2 } }],
        },
      ],
    },
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(async () => {
  await gateway?.close();
  await supplier?.close();
});

let count = 0;
/** Makes the supplier think and call a tool, with new ids each time. */
function thinks(): void {
  count += 1;
  const thought = { type: "reasoning", id: `rs_${count}`, summary: [], encrypted_content: `sealed-${count}` };
  const call = { type: "function_call", id: `fc_${count}`, call_id: `call_${count}`, name: "look", arguments: "{}" };
  const response = {
    id: `resp_${count}`,
    object: "response",
    status: "completed",
    model: "up",
    output: [thought, call],
  };
  const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  supplier.answer(() => ({
    events: [
      event("response.created", { response: { ...response, status: "in_progress", output: [] } }),
      event("response.output_item.done", { output_index: 0, item: thought }),
      event("response.output_item.done", { output_index: 1, item: call }),
      event("response.completed", {
        response: { ...response, usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 } },
      }),
    ],
  }));
}
// biome-ignore lint/suspicious/noExplicitAny: items of any kind, read by assertions only
const sentItems = (): any[] => JSON.parse(supplier.calls.at(-1)!.body).input;
const ask = (more: object) =>
  client.responses
    .stream({ model: "smart", input: "hi", ...more } as Parameters<typeof client.responses.stream>[0])
    .finalResponse();

test("a thought comes back to its supplier with the result of its call, however the client goes on", async () => {
  thinks();
  const first = await ask({});
  const sealed = `sealed-${count}`;
  expect(JSON.parse(supplier.calls.at(-1)!.body)).toMatchObject({
    store: false,
    include: ["reasoning.encrypted_content"],
  });
  expect(JSON.stringify(first)).not.toContain(sealed);
  const [thought, call] = first.output as unknown as [{ id: string }, { id: string; call_id: string }];
  const result = { type: "function_call_output", call_id: call.call_id, output: "sunny" };
  const ways = [
    { previous_response_id: first.id, input: [result] },
    { input: [{ type: "item_reference", id: thought.id }, { type: "item_reference", id: call.id }, result] },
    { input: [{ role: "user", content: "hi" }, ...first.output, result] },
  ];
  for (const more of ways) {
    thinks();
    await ask(more);
    expect(sentItems()).toContainEqual(expect.objectContaining({ type: "reasoning", encrypted_content: sealed }));
    expect(sentItems()).toContainEqual(expect.objectContaining({ type: "function_call", call_id: call.call_id }));
  }
});

test("a client that asks for encrypted thoughts, or stores nothing here, gets its stream as it is", async () => {
  thinks();
  expect(JSON.stringify(await ask({ include: ["reasoning.encrypted_content"] }))).toContain(`sealed-${count}`);
  thinks();
  expect(JSON.stringify(await ask({ store: false }))).toContain(`sealed-${count}`);
  expect(JSON.parse(supplier.calls.at(-1)!.body)).not.toHaveProperty("include");
});
