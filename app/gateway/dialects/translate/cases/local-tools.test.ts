import { describe, expect, test } from "vitest";
import { readResponses } from "../../responses/read";
import { translatorFor } from "../../translators";
import { type Json, sent } from "../__fixtures__/sent";
import { aRoute, dataIn, through } from "../__fixtures__/streams";

type Case = [type: string, given: Json, member: "action" | "operation", written: Json, output: Json, told: string];
const CASES: readonly Case[] = [
  [
    "local_shell",
    { command: ["ls", "-l"], working_directory: "/tmp", timeout_ms: 5 },
    "action",
    { type: "exec", command: ["ls", "-l"], env: {}, working_directory: "/tmp", timeout_ms: 5 },
    { output: "a.txt" },
    "a.txt",
  ],
  [
    "shell",
    { commands: ["ls", "pwd"] },
    "action",
    { commands: ["ls", "pwd"], timeout_ms: null, max_output_length: null },
    {
      output: [
        { stdout: "a.txt", stderr: "", outcome: { type: "exit", exit_code: 0 } },
        { stdout: "", stderr: "late", outcome: { type: "timeout" } },
      ],
    },
    "a.txt\n(exit code 0)\nlate\n(timed out)",
  ],
  [
    "apply_patch",
    { type: "update_file", path: "a.txt", diff: "@@\n-a\n+b" },
    "operation",
    { type: "update_file", path: "a.txt", diff: "@@\n-a\n+b" },
    { status: "failed", output: "no such file" },
    "failed: no such file",
  ],
];

const SUPPLIERS = [
  ["openai", "gpt-4.1"],
  ["anthropic", "claude-sonnet-5"],
  ["gemini", "gemini-2.5-flash"],
] as const;

describe.each(CASES)("the tool %s, which the client carries out", (type, given, member, written, output, told) => {
  const ask = (more: object = {}) =>
    readResponses(JSON.stringify({ model: "m", input: "hi", tools: [{ type }], ...more }));
  const item = { type: `${type}_call`, call_id: "c1", [member]: written };

  test.each(SUPPLIERS)("is a function for %s, %s", (...to) => {
    const { body, dropped } = sent("responses", to, { tools: [{ type }], tool_choice: { type } });
    expect(JSON.stringify(body)).toContain(`"name":"${type}"`);
    expect(dropped).toEqual([]);
  });

  test.each(SUPPLIERS)("and its calls and results stand in a history for %s, %s", (...to) => {
    const input = [{ role: "user", content: "hi" }, item, { type: `${type}_call_output`, call_id: "c1", ...output }];
    const body = JSON.stringify(sent("responses", to, { input, tools: [{ type }] }).body);
    expect(body).toContain(JSON.stringify(told));
    expect(body).toContain(type);
  });

  test("a call comes back in its own form, whole and streamed", async () => {
    const way = translatorFor("responses", "chat")!;
    const inference = ask();
    const called = { id: "c1", type: "function", function: { name: type, arguments: JSON.stringify(given) } };
    const message = { role: "assistant", content: null, tool_calls: [called] };
    const whole = { id: "x", model: "up", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    const read = await way.readAnswer(inference, Buffer.from(JSON.stringify(whole)), aRoute("chat"));
    expect(JSON.parse(read.body.toString()).output).toMatchObject([item]);
    const piece = (delta: Json, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: "x", model: "up", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const stream = `${piece({ tool_calls: [{ index: 0, ...called }] })}${piece({}, "tool_calls")}data: [DONE]\n\n`;
    const events: Json[] = dataIn(through(way.openStream(inference, aRoute("chat")), [Buffer.from(stream)]));
    expect(events.findLast(({ response }) => response)!.response.output).toMatchObject([item]);
    expect(events.find(({ type: kind }) => kind === "response.output_item.done")!.item).toMatchObject(item);
  });
});

test("a tool of that name that the client declares itself keeps it", () => {
  const tools = [{ type: "shell" }, { type: "function", name: "shell", parameters: { type: "object" } }];
  const names = sent("responses", ["openai", "gpt-4.1"], { tools }).body.tools.map((tool: Json) => tool.function.name);
  expect(names.toSorted()).toEqual(["shell", "shell_"]);
});

test("the result of a shell that ran at a supplier goes with its call", () => {
  const environment = { type: "container_reference", container_id: "x" };
  const input = [
    { role: "user", content: "hi" },
    { type: "shell_call", call_id: "c1", action: { commands: ["ls"] }, environment },
    { type: "shell_call_output", call_id: "c1", output: [] },
  ];
  const { body, dropped } = sent("responses", ["openai", "gpt-4.1"], { input });
  expect(body.messages).toEqual([{ role: "user", content: "hi" }]);
  expect(dropped).toEqual(["input.shell_call", "input.shell_call_output"]);
});

test("the output of a local shell may name its call as its own id", () => {
  const input = [
    { role: "user", content: "hi" },
    { type: "local_shell_call", id: "lsh_1", call_id: "c1", action: { type: "exec", command: ["ls"], env: {} } },
    { type: "local_shell_call_output", id: "c1", output: "a.txt" },
  ];
  expect(sent("responses", ["openai", "gpt-4.1"], { input }).body.messages[2]).toMatchObject({
    role: "tool",
    content: "a.txt",
  });
});
