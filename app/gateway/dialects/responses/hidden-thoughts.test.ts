import { expect, test } from "vitest";
import { aRoute, dataIn, through } from "../translate/__fixtures__/streams";
import { responsesToResponses } from "./index";
import { readResponses } from "./read";

const ask = (more: object = {}) => readResponses(JSON.stringify({ model: "m", input: "hi", ...more }));
const sent = (more: object, model = "gpt-5.4") =>
  JSON.parse(responsesToResponses.forward(ask(more), aRoute("chat", model)) as string);

const THOUGHT = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "T1BF" };
const { encrypted_content: _, ...SHOWN } = THOUGHT;
const CALL = { type: "function_call", id: "fc_1", call_id: "c", name: "look", arguments: '{"id":1}' };
const RESPONSE = {
  ...{ id: "resp_1", object: "response", model: "up", status: "completed", output: [THOUGHT, CALL] },
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
};
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const STREAM = [
  event("response.created", { response: { ...RESPONSE, status: "in_progress", output: [] } }),
  event("response.output_item.done", { output_index: 0, item: THOUGHT }),
  event("response.output_item.done", { output_index: 1, item: CALL }),
  event("response.completed", { response: RESPONSE }),
].join("");

test.each<[name: string, ask: object, model: string, include: unknown]>([
  ["a client that has its responses stored", {}, "gpt-5.4", ["reasoning.encrypted_content"]],
  [
    "one that includes something else",
    { include: ["file_search_call.results"] },
    "prod-gpt-5.6",
    ["file_search_call.results", "reasoning.encrypted_content"],
  ],
  [
    "one that asks for them itself",
    { include: ["reasoning.encrypted_content"] },
    "gpt-5.4",
    ["reasoning.encrypted_content"],
  ],
  ["a client that stores itself", { store: false }, "gpt-5.4", undefined],
  ["a model that has none", {}, "gpt-4.1", undefined],
  ["a model that no table knows", {}, "some-model", undefined],
])("a supplier that stores nothing is asked for thoughts that can come back: %s", (_name, body, model, include) => {
  expect(sent(body, model)).toMatchObject({ store: false });
  expect(sent(body, model).include).toEqual(include);
});

test("they are kept, and shown to those who asked for them or store nothing here", async () => {
  for (const more of [{}, { include: ["reasoning.encrypted_content"] }, { store: false }]) {
    const hides = Object.keys(more).length === 0;
    const output = [hides ? SHOWN : THOUGHT, CALL];
    const hidden = hides ? new Map([["rs_1", "T1BF"]]) : undefined;
    const whole = await responsesToResponses.readAnswer(ask(more), Buffer.from(JSON.stringify(RESPONSE)));
    expect(JSON.parse(whole.body.toString())).toEqual({ ...RESPONSE, output });
    expect(whole.hiddenThoughts).toEqual(hidden);
    const reader = responsesToResponses.openStream(ask({ ...more, stream: true }));
    const seen = through(reader, [Buffer.from(STREAM)]);
    expect(dataIn(seen, "response.output_item.done").map(({ item }) => item)).toEqual(output);
    expect(dataIn(seen, "response.completed")[0].response.output).toEqual(output);
    expect(reader.hiddenThoughts).toEqual(hidden);
    expect(reader.usage).toMatchObject({ inputTokens: 3 });
  }
});

test("what passes beside hidden thoughts is as the supplier wrote it, and a stream without any passes byte for byte", async () => {
  const text = JSON.stringify(RESPONSE)
    .replace('{\\"id\\":1}', '{\\"id\\":1,\\"n\\":1.0}')
    .replace('"up"', '"up","x":1234567890123456789');
  const whole = await responsesToResponses.readAnswer(ask(), Buffer.from(text));
  expect(whole.body.toString()).toBe(text.replace(',"encrypted_content":"T1BF"', ""));
  const plain = STREAM.replaceAll(',"encrypted_content":"T1BF"', "");
  expect(through(responsesToResponses.openStream(ask({ stream: true })), [Buffer.from(plain)])).toBe(plain);
});

test("items whose thought cannot go back go without the id by which its supplier would miss it", () => {
  const input = [
    { role: "user", content: "hi" },
    SHOWN,
    CALL,
    { type: "function_call_output", call_id: "c", output: "ok" },
  ];
  const { id: _id, ...call } = CALL;
  expect(sent({ input }).input).toEqual([input[0], call, input[3]]);
  expect(sent({ input: [input[0], THOUGHT, CALL] }).input).toEqual([input[0], THOUGHT, CALL]);
});
