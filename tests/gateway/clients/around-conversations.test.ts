import { request } from "node:http";
import Anthropic, { toFile } from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BothDialects, startBothDialects } from "../../support/both-dialects";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  gateway = await startGateway();
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(() => gateway?.close());

type Told = { error: { code: string; type: string; message: string; human_message: string; param?: string } };
const bearer = () => ({ authorization: `Bearer ${gateway.key}` });
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

/** Sends a request with only these headers and the authorisation. */
function bare(path: string, headers: Record<string, string>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = request(gateway.url + path, { headers: { ...bearer(), ...headers } }, async (response) =>
      resolve(JSON.parse((await response.toArray()).join(""))),
    );
    asked.on("error", reject).end();
  });
}

describe("the list of models", () => {
  test("is the array of the specification for plain tools, the list object for applications, and what is asked for", async () => {
    const plain: Record<string, string>[] = [
      {},
      { "user-agent": "curl/8.5.0", accept: "*/*" },
      { "user-agent": "node", accept: "*/*" },
    ];
    const applications: Record<string, string>[] = [
      { "user-agent": "axios/1.13.2", accept: "application/json, text/plain, */*" },
      { "user-agent": "python-requests/2.34.2", accept: "*/*" },
      { "user-agent": "Go-http-client/1.1" },
      { accept: "*/*" },
    ];
    for (const headers of plain) {
      expect(await bare("/v1/models", headers)).toContainEqual({
        id: "sandbox-chat",
        object: "model",
        owned_by: "sandbox",
      });
      expect(await bare("/v1/models?object=list", headers)).toMatchObject({ object: "list" });
    }
    for (const headers of applications) {
      const listed = (await bare("/v1/models", headers)) as { object: string; data: unknown[] };
      expect(listed.object).toBe("list");
      expect(listed.data).toContainEqual(expect.objectContaining({ id: "sandbox-chat", object: "model" }));
      expect(await bare("/v1/models?object=array", headers)).toEqual(expect.any(Array));
    }
  });

  test("names for Mistral's SDKs what they require of each model", async () => {
    const headers = { "user-agent": "mistral-client-python/3.7.0", accept: "application/json" };
    const card = { type: "base", capabilities: expect.objectContaining({ completion_chat: true }) };
    const { data } = (await bare("/v1/models", headers)) as { data: unknown[] };
    expect(data).toContainEqual(expect.objectContaining({ id: "sandbox-chat", ...card }));
    expect(await bare("/v1/models/sandbox-chat", headers)).toMatchObject({ id: "sandbox-chat", ...card });
  });

  test("says when each model came into the catalogue", async () => {
    const [row] = await gateway.sql("SELECT created_at FROM model WHERE id = 'sandbox-chat'");
    const cameAt = new Date(row.created_at as string);
    const chat = await openai.models.retrieve("sandbox-chat");
    expect(chat.created).toBe(Math.floor(cameAt.getTime() / 1_000));
    expect((await anthropic.models.retrieve("sandbox-chat")).created_at).toBe(cameAt.toISOString());
    expect((await openai.models.list()).data.every(({ created }) => created > 1_700_000_000)).toBe(true);
  });

  test("comes page by page, forwards and backwards, and each model once", async () => {
    const seen: string[] = [];
    for await (const { id } of anthropic.models.list({ limit: 2 })) seen.push(id);
    const all = (await openai.models.list()).data.map(({ id }) => id);
    expect(all.length).toBeGreaterThan(4);
    expect(seen).toEqual(all);
    const back = await anthropic.models.list({ limit: 2, before_id: all[3] as string });
    expect([back.data.map(({ id }) => id), back.has_more]).toEqual([all.slice(1, 3), true]);
    expect(await bare(`/v1/models?limit=2&after=${all[1]}`, { accept: "application/json" })).toMatchObject({
      ...{ object: "list", data: [{ id: all[2] }, { id: all[3] }], has_more: true, last_id: all[3] },
    });
    expect(await problemOf(anthropic.models.list({ after_id: "nothing-like-it" }))).toMatchObject({ status: 400 });
  });
});

describe("what is not there", () => {
  test.each([
    "/v1/responses/compact",
    "/v1/responses/input_tokens",
    "/v1/models/sandbox-chat:generateContent",
    "/v1/models/vendor/chat:streamGenerateContent",
    "/v1/chat/completions/chatcmpl-1",
    "/v1/conversations",
  ])("POST %s is told as a missing endpoint, by name", async (path) => {
    const response = await fetch(gateway.url + path, { method: "POST", headers: bearer(), body: "{}" });
    const { error } = (await response.json()) as Told;
    expect([response.status, error.code]).toEqual([404, "not_found"]);
    expect(error.human_message).toContain(`There is no endpoint POST ${path}.`);
  });

  test("an address that is there still names the methods that it takes", async () => {
    for (const path of ["/v1/responses/resp_1", "/v1/models/sandbox-chat"]) {
      const response = await fetch(gateway.url + path, { method: "POST", headers: bearer(), body: "{}" });
      expect([path, response.status]).toEqual([path, 405]);
    }
  });

  test.each([
    ["GET", "/models"],
    ["GET", "/models/sandbox-chat"],
    ["POST", "/chat/completions"],
    ["POST", "/completions"],
    ["POST", "/responses"],
    ["POST", "/messages"],
    ["POST", "/embeddings"],
    ["POST", "/v1/v1/messages"],
  ])("a base URL that is wrong is told so, and never by a page: %s %s", async (method, path) => {
    const body = method === "POST" ? "{}" : undefined;
    const response = await fetch(gateway.url + path, { method, headers: bearer(), body });
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
    const { error } = (await response.json()) as Told;
    expect(error.code).toBe("not_found");
    expect(error.human_message).toMatch(/(?:Add \/v1 to|Leave \/v1 out of) the base URL/);
  });

  test("people who come to such an address get a page", async () => {
    const response = await fetch(`${gateway.url}/models`, { headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      expect.stringContaining("text/html"),
    ]);
  });

  test("files of the messages API are refused by name, to upload and to list", async () => {
    const file = await toFile(Buffer.from("hello"), "a.txt");
    for (const ask of [() => anthropic.beta.files.upload({ file }), async () => anthropic.beta.files.list()]) {
      const problem = await problemOf(ask());
      expect(problem).toBeInstanceOf(Anthropic.NotFoundError);
      expect(String(problem)).toContain("Files of the messages API are not offered here");
    }
  });

  test("an unknown response, an unknown item and the result of an unknown call are told by their ids, and nothing is held", async () => {
    const ask = (more: object) => problemOf(openai.responses.create({ model: "sandbox-chat", input: "hi", ...more }));
    expect(await ask({ previous_response_id: "resp_unknown" })).toMatchObject({
      ...{
        status: 400,
        code: "previous_response_not_found",
        type: "invalid_request_error",
        param: "previous_response_id",
      },
      message: expect.stringContaining("Previous response with id 'resp_unknown' not found."),
    });
    const reference = { type: "item_reference", id: "msg_unknown" };
    expect(await ask({ input: [{ role: "user", content: "hi" }, reference] })).toMatchObject({
      ...{ status: 404, code: "not_found", param: "input[1]" },
      message: expect.stringContaining("Item with id 'msg_unknown' not found."),
    });
    const output = { type: "function_call_output", call_id: "call_lost", output: "x" };
    expect(await ask({ input: [{ role: "user", content: "hi" }, output] })).toMatchObject({
      ...{ status: 400, param: "input" },
      message: expect.stringContaining("No tool call found for function call output with call_id call_lost."),
    });
    const result = { type: "tool_result" as const, tool_use_id: "toolu_lost", content: "x" };
    const lost = anthropic.messages.create({
      ...{ model: "sandbox-messages", max_tokens: 9, messages: [{ role: "user", content: [result] }] },
    });
    expect(await problemOf(lost)).toMatchObject({ status: 400, message: expect.stringContaining("toolu_lost") });
    expect(await gateway.sql("SELECT 1 FROM hold")).toEqual([]);
  });
});

test("embeddings have an id, for client libraries that refuse them without", async () => {
  const answer = (await openai.embeddings.create({ model: "sandbox-embed", input: "hi" })) as { id?: string };
  expect(answer.id).toMatch(/^embd-/);
});

describe("an error inside a stream", () => {
  let both: BothDialects;
  beforeAll(async () => {
    both = await startBothDialects();
  });
  afterAll(() => both?.close());

  const FORMATS = {
    chat: ["/v1/chat/completions", { messages: [{ role: "user", content: "hi" }] }],
    messages: ["/v1/messages", { messages: [{ role: "user", content: "hi" }], max_tokens: 20 }],
    responses: ["/v1/responses", { input: "hi" }],
  } as const;

  test.each(
    Object.keys(FORMATS).flatMap((format) => ["chat-model", "messages-model"].map((model) => [format, model] as const)),
  )("reaches %s clients of %s in the supplier's type and words", async (format, model) => {
    both.supplier.say({ text: "Hello there, and more", breaks: "error" });
    const [path, body] = FORMATS[format as keyof typeof FORMATS];
    const response = await fetch(both.gateway.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${both.gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...body, model, stream: true }),
    });
    const text = await response.text();
    const last = text
      .trimEnd()
      .split("\n")
      .findLast((line) => line.startsWith("data: {"))!;
    const event = JSON.parse(last.slice(6)) as Told & { response?: Told };
    const error = event.error ?? event.response?.error;
    expect(error.type).toBe("overloaded_error");
    expect(error.message).toContain("Overloaded");
    expect(JSON.stringify(error)).toContain("stream_error");
  });
});
