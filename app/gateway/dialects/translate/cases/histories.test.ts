import { describe, expect, test } from "vitest";
import { readChat } from "../../chat/read";
import { readMessages } from "../../messages/read";
import { readResponses } from "../../responses/read";
import { translatorFor } from "../../translators";
import { aRoute } from "../__fixtures__/streams";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, looked at by assertions only
type Json = Record<string, any>;

const read = { messages: readMessages, responses: readResponses, chat: readChat };
const sent = (dialect: keyof typeof read, model: string, body: Json, supplier: Json = {}): Json[] => {
  const route = aRoute("chat", model);
  const inference = read[dialect](
    JSON.stringify({ model: "m", ...(dialect === "messages" ? { max_tokens: 100 } : {}), ...body }),
  );
  const to = { ...route, supplier: { ...route.supplier, ...supplier } };
  return JSON.parse(translatorFor(dialect, "chat")!.forward(inference, to) as string).messages;
};
const rolesOf = (messages: readonly Json[]) => messages.map(({ role }) => role).join(" ");

const use = (id: string, input: Json = {}) => ({ type: "tool_use", id, name: "look", input });
const result = (tool_use_id: string, content: unknown = "sunny") => ({ type: "tool_result", tool_use_id, content });
const text = (words: string) => ({ type: "text", text: words });
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };

describe("system text for a template that takes one message of it, the first", () => {
  const QWEN = "Qwen/Qwen3.5-397B-A17B-FP8";

  test.each<[name: string, dialect: "messages" | "responses", body: Json, messages: Json[]]>([
    [
      "between turns is marked text of the user",
      "messages",
      {
        system: "You are an agent.",
        messages: [user("x"), { role: "system", content: "Environment: linux." }, user("y")],
      },
      [
        { role: "system", content: "You are an agent." },
        user("x"),
        user("<system>\nEnvironment: linux.\n</system>"),
        user("y"),
      ],
    ],
    [
      "at the beginning in pieces is one message",
      "messages",
      { system: [text("A"), text("B")], messages: [{ role: "system", content: "C" }, user("x")] },
      [{ role: "system", content: "A\n\nB\n\nC" }, user("x")],
    ],
    [
      "as instructions and a developer's message is one message",
      "responses",
      {
        instructions: "A",
        input: [{ role: "developer", content: "B" }, user("x"), { role: "developer", content: "C" }],
      },
      [{ role: "system", content: "A\n\nB" }, user("x"), user("<system>\nC\n</system>")],
    ],
    [
      "alone is what the user asks",
      "responses",
      { instructions: "A", input: [{ role: "developer", content: "B" }] },
      [user("A\n\nB")],
    ],
    [
      "behind calls stands behind their results",
      "messages",
      { messages: [user("x"), assistant([use("c")]), { role: "system", content: "S" }, user([result("c")])] },
      [
        user("x"),
        expect.objectContaining({ role: "assistant" }),
        expect.objectContaining({ role: "tool" }),
        user("<system>\nS\n</system>"),
      ],
    ],
  ])("%s", (_name, dialect, body, messages) => {
    expect(sent(dialect, QWEN, body)).toEqual(messages);
  });

  test("between turns keeps its place for models that take it there", () => {
    const body = { system: "A", messages: [user("x"), { role: "system", content: "B" }, user("y")] };
    expect(rolesOf(sent("messages", "gpt-4.1", body))).toBe("system user system user");
  });
});

describe("Mistral", () => {
  const MISTRAL = "mistral-large-latest";

  test.each<[name: string, dialect: "messages" | "responses", body: Json, roles: string]>([
    [
      "a text beside a result",
      "messages",
      { messages: [user("x"), assistant([use("c")]), user([result("c"), text("<system-reminder>")])] },
      "user assistant tool assistant user",
    ],
    [
      "a picture in a result",
      "messages",
      { messages: [user("x"), assistant([use("c")]), user([result("c", [image])])] },
      "user assistant tool assistant user",
    ],
    [
      "the user's words behind a result",
      "responses",
      {
        input: [
          user("x"),
          { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
          { type: "function_call_output", call_id: "c", output: "sunny" },
          user("and?"),
        ],
      },
      "user assistant tool assistant user",
    ],
    [
      "system text behind a result",
      "messages",
      {
        messages: [user("x"), assistant([use("c")]), user([result("c")]), { role: "system", content: "S" }, user("y")],
      },
      "user assistant tool assistant user",
    ],
    ["several words of the user", "messages", { messages: [user("x"), user("y")] }, "user"],
    [
      "two results and nothing else",
      "messages",
      { messages: [user("x"), assistant([use("c"), use("d")]), user([result("c"), result("d")])] },
      "user assistant tool tool",
    ],
  ])("has an assistant's message between a tool and the user: %s", (_name, dialect, body, roles) => {
    expect(rolesOf(sent(dialect, MISTRAL, body))).toBe(roles);
  });

  test("goes on with the beginning of an answer", () => {
    const body = { messages: [user("x"), assistant("The answer is")] };
    expect(sent("messages", MISTRAL, body).at(-1)).toEqual({ ...assistant("The answer is"), prefix: true });
    expect(sent("messages", "gpt-4.1", body).at(-1)).toEqual(assistant("The answer is"));
  });

  test("gets ids of nine letters and digits, the same for a call and its result, its own as they are", () => {
    const ids = (id: string) => {
      const body = { messages: [user("x"), assistant([use(id)]), user([result(id), image])] };
      const [, { tool_calls }, tool] = sent("messages", MISTRAL, body) as [Json, Json, Json];
      expect(tool.tool_call_id).toBe(tool_calls[0].id);
      return tool.tool_call_id;
    };
    expect(ids("toolu_01AbCdEfGhIjKlMnOpQrSt")).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(ids("toolu_01AbCdEfGhIjKlMnOpQrSt")).not.toBe(ids("toolu_01AbCdEfGhIjKlMnOpQrSu"));
    expect(ids("aB3dE6gH9")).toBe("aB3dE6gH9");
  });
});

test.each([
  ["messages", "claude-opus-4-8", "claude-sonnet-4-5"],
  ["converse", "anthropic.claude-opus-4-8", "anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["chat", "anthropic/claude-opus-4-8", "anthropic/claude-sonnet-4.5"],
] as const)(
  "the beginning of an answer is followed by the user's word for models that refuse it, in the format %s",
  (wire, refusing, taking) => {
    const inference = readResponses(JSON.stringify({ model: "m", input: [user("x"), assistant("The answer is")] }));
    const last = (model: string) =>
      JSON.parse(
        translatorFor("responses", wire)!.forward(inference, aRoute(wire as "chat", model)) as string,
      ).messages.at(-1);
    expect(last(refusing)).toMatchObject({ role: "user" });
    expect(last(taking)).toMatchObject({ role: "assistant" });
  },
);

describe("thoughts that a model wants back", () => {
  const history = {
    messages: [user("x"), assistant([text("Hi"), use("c")]), user([result("c")]), assistant("So."), user("y")],
  };

  test.each(["deepseek-v4-pro", "kimi-k2-thinking"])(
    "%s gets words in their place where another model spoke",
    (model) => {
      for (const message of sent("messages", model, history).filter(({ role }) => role === "assistant"))
        expect(message.reasoning_content).toMatch(/\S/);
      for (const message of sent("messages", "llama", history)) expect(message).not.toHaveProperty("reasoning_content");
    },
  );

  test("a chat client's messages get them as well, under the name that the model knows, and no others", () => {
    const asked = (model: string, message: Json, supplier: Json = {}) =>
      sent("chat", model, { messages: [user("x"), { ...assistant("Hi"), ...message }, user("y")] }, supplier)[1];
    expect(asked("deepseek-v4-pro", {})).toMatchObject({ reasoning_content: expect.stringMatching(/\S/) });
    expect(asked("deepseek-v4-pro", { reasoning: "Hm." })).toEqual({ ...assistant("Hi"), reasoning_content: "Hm." });
    expect(asked("mistral-large-latest", { reasoning_content: "Hm." })).toEqual(assistant("Hi"));
    expect(asked("zai-glm-4.7", { reasoning_content: "Hm." }, { name: "cerebras" })).toEqual({
      ...assistant("Hi"),
      reasoning: "Hm.",
    });
    expect(asked("llama", { reasoning_content: "Hm.", x: 1 })).toEqual({
      ...assistant("Hi"),
      reasoning_content: "Hm.",
      x: 1,
    });
  });
});

describe("Gemini 3 behind the compatible API", () => {
  const GEMINI = "gemini-3-pro-preview";
  const signature = (call: Json) => call.extra_content?.google.thought_signature;
  const signatures = (messages: readonly Json[]) =>
    messages.flatMap(({ tool_calls = [] }) => [tool_calls.map(signature)]).filter((found) => found.length > 0);

  test.each<[name: string, ask: Json]>([
    ["thinking", { thinking: { type: "adaptive" } }],
    ["no word of thinking", {}],
  ])("gets the signature of its own calls back, by a messages client with %s", async (_name, ask) => {
    const way = translatorFor("messages", "chat")!;
    const calls = ["a", "b"].map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } }));
    const message = {
      ...assistant(null),
      tool_calls: [{ ...calls[0], extra_content: { google: { thought_signature: "c2VhbA==" } } }, calls[1]],
    };
    const wire = { id: "c", model: "up", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    const inference = readMessages(JSON.stringify({ model: "m", max_tokens: 100, messages: [user("x")], ...ask }));
    const { body } = await way.readAnswer(inference, Buffer.from(JSON.stringify(wire)));
    const { content } = JSON.parse(body.toString());
    const next = { ...ask, messages: [user("x"), assistant(content), user([result("a"), result("b")])] };
    expect(signatures(sent("messages", GEMINI, next))).toEqual([["c2VhbA==", undefined]]);
  });

  test("gets the placeholder for the first call of a step that another model made, by every client", () => {
    const skip = "skip_thought_signature_validator";
    const messages = [
      user("x"),
      assistant([use("a"), use("b")]),
      user([result("a"), result("b")]),
      assistant([use("c")]),
    ];
    expect(signatures(sent("messages", GEMINI, { messages }))).toEqual([[skip, undefined], [skip]]);
    const items = ["a", "b"].map((call_id) => ({ type: "function_call", call_id, name: "look", arguments: "{}" }));
    expect(signatures(sent("responses", GEMINI, { input: [user("x"), ...items] }))).toEqual([[skip, undefined]]);
    const tool_calls = ["a", "b"].map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } }));
    const chat = [user("x"), { ...assistant(null), tool_calls }];
    expect(signatures(sent("chat", GEMINI, { messages: chat }))).toEqual([[skip, undefined]]);
    expect(signatures(sent("messages", "gemini-2.5-pro", { messages }))).toEqual([[undefined, undefined], [undefined]]);
  });
});

describe("a thought that its supplier has told in details", () => {
  const details = [
    { type: "reasoning.text", text: "Hm.", signature: null, format: "google-gemini-v1", index: 0 },
    { type: "reasoning.encrypted", data: "R0VN", format: "google-gemini-v1", id: "a", index: 0 },
  ];
  const message = {
    role: "assistant",
    content: null,
    reasoning: "Hm.",
    reasoning_details: details,
    tool_calls: [{ id: "a", type: "function", function: { name: "look", arguments: "{}" } }],
  };
  const answer = JSON.stringify({
    id: "c",
    model: "up",
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
  const answered = async (dialect: "messages" | "responses", more: Json) => {
    const translator = translatorFor(dialect, "chat")!;
    const asked = dialect === "messages" ? { messages: [user("x")], max_tokens: 2_000 } : { input: [user("x")] };
    const inference = read[dialect](JSON.stringify({ model: "m", ...asked, ...more }));
    const said = JSON.parse((await translator.readAnswer(inference, Buffer.from(answer))).body.toString());
    return dialect === "messages" ? said.content : said.output;
  };

  test.each<["messages" | "responses", Json]>([
    ["messages", {}],
    ["messages", { thinking: { type: "adaptive" } }],
    ["responses", { include: ["reasoning.encrypted_content"] }],
  ])("goes back to it unchanged from a %s client, and to no other supplier: %j", async (dialect, more) => {
    const said = await answered(dialect, more);
    const history =
      dialect === "messages"
        ? { messages: [user("x"), assistant(said), user([result("a")])] }
        : { input: [user("x"), ...said, { type: "function_call_output", call_id: "a", output: "sunny" }] };
    const back = sent(dialect, "google/gemini-3-pro-preview", history, { kind: "aggregator" });
    expect(back[1]).toMatchObject({ role: "assistant", reasoning_details: details });
    expect(back[1]).not.toHaveProperty("reasoning");
    const other = sent(dialect, "llama", history);
    expect(other[1]).toMatchObject({ reasoning: "Hm." });
    expect(other[1]).not.toHaveProperty("reasoning_details");
  });

  test("is only its text where a client has cut the seal", () => {
    const cut = { type: "thinking", thinking: "Hm.", signature: "gw:details:[{" };
    const messages = [user("x"), assistant([cut, use("a")]), user([result("a")])];
    expect(sent("messages", "google/gemini-3-pro-preview", { messages }, { kind: "aggregator" })[1]).toMatchObject({
      reasoning: "Hm.",
    });
  });
});

describe("content", () => {
  const marked = { cache_control: { type: "ephemeral" } };
  const body = {
    system: [{ ...text("S"), ...marked }],
    messages: [
      user([{ ...text("x"), ...marked }, text("y")]),
      assistant([use("c")]),
      user([{ ...result("c"), ...marked }]),
    ],
  };

  test("keeps marks for the cache where the model takes them", () => {
    const [system, asked, , tool] = sent("messages", "anthropic/claude-sonnet-5", body, { kind: "aggregator" });
    expect(system!.content).toEqual([{ ...text("S"), ...marked }]);
    expect(asked!.content).toEqual([{ ...text("x"), ...marked }, text("y")]);
    expect(tool!.content).toEqual([{ ...text("sunny"), ...marked }]);
  });

  test("is text without marks for other models", () => {
    const [system, asked, , tool] = sent("messages", "llama", body);
    expect([system!.content, asked!.content, tool!.content]).toEqual(["S", [text("x"), text("y")], "sunny"]);
  });

  test("of a result keeps its pictures inside where the model takes them there", () => {
    const messages = [user("x"), assistant([use("c")]), user([result("c", [text("Here:"), image])])];
    const inside = sent("messages", "claude-sonnet-5", { messages });
    expect(rolesOf(inside)).toBe("user assistant tool");
    expect(inside[2]!.content.map(({ type }: Json) => type)).toEqual(["text", "image_url"]);
    expect(rolesOf(sent("messages", "llama", { messages }))).toBe("user assistant tool user");
  });
});

test.each(['{"a":', "nothing", "[1]", ""])(
  "arguments that are no object, such as %j, reach a chat-style supplier as one",
  (given) => {
    const call = { type: "function_call", call_id: "c", name: "look", arguments: given };
    const [, { tool_calls }] = sent("responses", "llama", { input: [user("x"), call] }) as [Json, Json];
    const read = JSON.parse(tool_calls[0].function.arguments);
    expect(read).toEqual(given === "" ? {} : { invalid_arguments: given });
  },
);
