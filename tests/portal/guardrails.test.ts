import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../support/portal";

const PAGE = "/dashboard/guardrails";
let portal: Portal;
let home: number;
const people = {} as Record<"admin" | "departmentAdmin" | "member" | "other" | "stranger", SignedIn>;
let key: string;
let keyId: number;

beforeAll(async () => {
  portal = await startPortal();
  [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.departmentAdmin = await portal.signInAs("department_admin", {
    adminMode: true,
    departmentId: await portal.addDepartment(home, "Research"),
  });
  people.member = await portal.signInAs("member");
  people.other = await portal.signInAs("member");
  const away = await portal.addOrganisation("Away");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  const made = await people.member.browser.post("/dashboard/keys/new", { name: "guarded" }, { json: true });
  ({ key } = await made.json());
  [{ id: keyId }] = await portal.sql("SELECT id FROM api_key WHERE name = 'guarded'");
}, 120_000);
afterAll(() => portal?.close());

const add = async (browser: Browser, body: Record<string, string>) => {
  const answer = await browser.post(`${PAGE}/add`, body, { json: true });
  return { status: answer.status, ...(await answer.json()) };
};
const remove = async (browser: Browser, body: Record<string, string>): Promise<number> =>
  (await browser.post(`${PAGE}/remove`, body, { json: true })).status;

async function call(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${portal.url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}
const say = (content: string) =>
  call("chat/completions", { model: "sandbox-chat", messages: [{ role: "user", content }] });
const charged = async (): Promise<{ n: number; sum: string }> =>
  (
    await portal.sql(
      "SELECT count(*)::int AS n, coalesce(sum(charged), 0)::text AS sum FROM usage_event WHERE key_id = $1 AND error_code = 'request_rejected'",
      [keyId],
    )
  )[0];

test("only admins set an organisation's guardrails, and whoever may change a key's limits its own", async () => {
  const rule = { name: "Codename", kind: "words", text: "Blue Fox", on: "input", action: "refuse" };
  expect((await add(people.member.browser, rule)).status).toBe(403);
  expect((await add(people.departmentAdmin.browser, rule)).status).toBe(403);
  expect((await add(people.stranger.browser, { ...rule, org_id: String(home) })).status).toBe(404);
  expect((await add(people.other.browser, { ...rule, key_id: String(keyId) })).status).toBe(404);
  expect((await add(people.stranger.browser, { ...rule, key_id: String(keyId) })).status).toBe(404);
  const own = await add(people.member.browser, { ...rule, key_id: String(keyId) });
  expect(own).toMatchObject({ status: 200, ok: true, name: "Codename", words: ["Blue Fox"] });
  expect(await remove(people.member.browser, { id: own.id })).toBe(403);
  expect(await remove(people.member.browser, { id: own.id, key_id: String(keyId) })).toBe(200);
  expect(await remove(people.member.browser, { id: own.id, key_id: String(keyId) })).toBe(404);
});

test("a request that a guardrail refuses is refused with its name, costs nothing and reaches no model", async () => {
  const { id } = await add(people.admin.browser, {
    ...{ name: "Codename", kind: "words", text: "blue fox", on: "input", action: "refuse" },
  });
  await vi.waitFor(async () => {
    const refused = await say("Tell me about the BLUE fox.");
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text).error).toMatchObject({
      code: "request_rejected",
      human_message: "The guardrail “Codename” does not allow this request.",
    });
  }, 5_000);
  expect((await say("Tell me about the red fox.")).status).toBe(200);
  const asked: [path: string, body: object][] = [
    [
      "messages",
      {
        ...{ model: "sandbox-messages", max_tokens: 20, stream: true },
        messages: [{ role: "user", content: [{ type: "text", text: "b\u200blue fox" }] }],
      },
    ],
    ["embeddings", { model: "sandbox-embed", input: ["fine", "ｂｌｕｅ fox"] }],
    ["responses", { model: "sandbox-chat", input: "blue fox", store: false }],
    ["moderations", { model: "sandbox-moderation", input: "blue fox" }],
    ["images/generations", { model: "sandbox-image", prompt: "a blue fox" }],
    ["audio/speech", { model: "sandbox-tts", input: "blue fox", voice: "alloy" }],
    ["rerank", { model: "sandbox-rerank", query: "fox", documents: ["red", "blue fox"] }],
    [
      "vendorb/responses",
      { model: "sandbox-agent", stream: true, input: [{ type: "message", role: "user", content: "blue fox" }] },
    ],
  ];
  for (const [path, body] of asked)
    expect(await call(path, body), path).toMatchObject({
      status: 400,
      text: expect.stringContaining("request_rejected"),
    });
  await vi.waitFor(async () => expect((await charged()).n).toBeGreaterThanOrEqual(8), 10_000);
  expect((await charged()).sum).toBe("0");
  const held = await portal.sql("SELECT 1 FROM hold WHERE key_id = $1 AND state = 'dispatched'", [keyId]);
  expect(held).toEqual([]);
  expect(await remove(people.admin.browser, { id })).toBe(200);
});

test("what is redacted reaches neither the model nor the client, and both rule sets hold", async () => {
  const pattern = { name: "Ticket", kind: "pattern", text: String.raw`\bTCK-\d{4}\b`, on: "input", action: "redact" };
  const own = await add(people.member.browser, { ...pattern, key_id: String(keyId) });
  const personal = { name: "Personal", kind: "personal", email: "true", card: "true", on: "both", action: "redact" };
  const organisations = await add(people.admin.browser, personal);
  await vi.waitFor(async () => {
    const { status, text } = await say("Ask ada@example.com about TCK-1234 and 4111 1111 1111 1111.");
    expect(status).toBe(200);
    expect(text).toContain("Ask [redacted] about ******** and [redacted].");
  }, 5_000);
  const output = { name: "Closing", kind: "words", text: "sandbox", on: "output", action: "redact" };
  const closing = await add(people.member.browser, { ...output, key_id: String(keyId) });
  await vi.waitFor(async () => expect((await say("Hello?")).text).not.toContain("sandbox "), 5_000);
  for (const { id } of [own, closing])
    expect(await remove(people.member.browser, { id, key_id: String(keyId) })).toBe(200);
  expect(await remove(people.admin.browser, { id: organisations.id })).toBe(200);
});

test("an answer that a guardrail refuses is charged, and the client gets the refusal", async () => {
  const rule = {
    name: "Quoted",
    kind: "words",
    text: "zanzibar",
    on: "output",
    action: "refuse",
    key_id: String(keyId),
  };
  const { id } = await add(people.member.browser, rule);
  await vi.waitFor(async () => {
    const { status, text } = await say("Repeat zanzibar.");
    expect(status).toBe(400);
    expect(JSON.parse(text).error.human_message).toBe(
      "The guardrail “Quoted” does not allow the answer to this request.",
    );
  }, 5_000);
  await vi.waitFor(async () => {
    const [row] = await portal.sql(
      "SELECT status, error_code, output_tokens::int AS out FROM usage_event WHERE key_id = $1 AND error_code = 'request_rejected' AND output_tokens > 0",
      [keyId],
    );
    expect(row).toMatchObject({ status: 400 });
    expect(row.out).toBeGreaterThan(0);
  }, 5_000);
  expect(await remove(people.member.browser, { id, key_id: String(keyId) })).toBe(200);
});

test("a stream is redacted across its events in every dialect, and refused where a rule says so", async () => {
  const rule = {
    name: "Phrase",
    kind: "words",
    text: "blue fox",
    on: "output",
    action: "redact",
    key_id: String(keyId),
  };
  const redacting = await add(people.member.browser, rule);
  const content = "Repeat: the blue fox jumps.";
  const streams: [path: string, body: object][] = [
    ["chat/completions", { model: "sandbox-chat", stream: true, messages: [{ role: "user", content }] }],
    ["messages", { model: "sandbox-messages", max_tokens: 100, stream: true, messages: [{ role: "user", content }] }],
    ["messages", { model: "sandbox-chat", max_tokens: 100, stream: true, messages: [{ role: "user", content }] }],
    ["responses", { model: "sandbox-messages", stream: true, input: content }],
    ["completions", { model: "sandbox-chat", stream: true, prompt: content }],
    [
      "vendorb/responses",
      { model: "sandbox-agent", stream: true, input: [{ type: "message", role: "user", content }] },
    ],
  ];
  await vi.waitFor(async () => {
    for (const [path, body] of streams) {
      const { status, text } = await call(path, body);
      expect(status, path).toBe(200);
      const said = [...text.matchAll(/"(?:content|text|delta)":"((?:[^"\\]|\\.)*)"/g)]
        .map(([, piece]) => piece)
        .join("");
      expect(said, path).toContain("the ******** jumps");
      expect(said, path).not.toContain("blue fox");
      expect(text).toMatch(/\[DONE\]|message_stop|response\.completed/);
    }
  }, 10_000);
  const stored = await call("responses", { model: "sandbox-chat", input: content });
  const { id } = JSON.parse(stored.text);
  const read = await fetch(`${portal.url}/v1/responses/${id}`, { headers: { authorization: `Bearer ${key}` } });
  expect(await read.text()).toContain("the ******** jumps");
  const refusing = await add(people.member.browser, { ...rule, name: "No", text: "jumps", action: "refuse" });
  await vi.waitFor(async () => {
    for (const [path, body] of streams) {
      const { status, text } = await call(path, body);
      expect(status, path).toBe(200);
      expect(text, path).toContain("request_rejected");
      expect(text, path).not.toContain("jumps");
    }
  }, 10_000);
  await vi.waitFor(async () => {
    const [row] = await portal.sql(
      "SELECT outcome::text, charged::text, output_tokens::int AS out FROM usage_event WHERE key_id = $1 AND stream AND error_code = 'request_rejected' AND output_tokens > 0 LIMIT 1",
      [keyId],
    );
    expect(row).toMatchObject({ outcome: "error" });
  }, 5_000);
  for (const made of [redacting, refusing])
    expect(await remove(people.member.browser, { id: made.id, key_id: String(keyId) })).toBe(200);
});

test("the request log says what was found, and finds requests by what was done", async () => {
  const rule = { name: "Flagged word", kind: "words", text: "quokka", action: "flag", key_id: String(keyId) };
  const { id } = await add(people.member.browser, rule);
  const read = async (path: string) => (await people.member.browser.get(path)).text();
  await vi.waitFor(async () => {
    expect((await say("A quokka, and a quokka.")).text).toContain("quokka");
    const log = await read("/dashboard/request-log?guardrail=flag");
    const [, request] = /request-log\/([\da-f-]{36})"/.exec(log) ?? [];
    expect(request).toBeDefined();
    const page = await read(`/dashboard/request-log/${request}`);
    expect(page).toContain("Flagged word");
    expect(page).not.toContain("quokka");
  }, 10_000);
  const [{ routing }] = await portal.sql(
    "SELECT routing FROM usage_event WHERE routing->'guardrails' @> '[{\"action\": \"flag\"}]' ORDER BY id DESC LIMIT 1",
  );
  expect(routing.guardrails).toEqual([
    { name: "Flagged word", by: "key", on: "input", action: "flag", count: 2 },
    { name: "Flagged word", by: "key", on: "output", action: "flag", count: 2 },
  ]);
  expect(await read("/dashboard/request-log?guardrail=refuse")).toMatch(/request-log\/[\da-f-]{36}"/);
  const narrowed = await read("/dashboard/request-log?guardrail=refuse&model=sandbox-rerank");
  // The chart above the list also contains a table, so take the last table.
  const rows = narrowed.slice(narrowed.lastIndexOf("<table"), narrowed.lastIndexOf("</table>"));
  expect(rows).toContain("sandbox-rerank");
  expect(rows).not.toContain("sandbox-tts");
  expect(await remove(people.member.browser, { id, key_id: String(keyId) })).toBe(200);
});

test("a pattern that cannot be used is refused with the reason, at the form too", async () => {
  const key_id = String(keyId);
  const of = (text: string, kind = "pattern") => add(people.member.browser, { name: "x", kind, text, key_id });
  for (const [text, reason] of [
    ["(a)\\1", "RE2 syntax"],
    ["a*", "empty text"],
    ["(?:[a-z]{1,500}){1,2}x", "too complex"],
  ] as const) {
    const answer = await of(text);
    expect(answer).toMatchObject({ status: 400, code: "invalid_input" });
    expect(answer.human_message).toContain(reason);
  }
  expect((await of("", "words")).status).toBe(422);
  expect((await of("*", "words")).status).toBe(400);
  const page = await people.member.browser.post(`${PAGE}/add`, { name: "x", kind: "pattern", text: "(", key_id });
  expect(page.status).toBe(303);
});

test("guardrails that are added at the same moment are all kept", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Rule ${index}`);
  const added = await Promise.all(
    names.map((name) => add(people.member.browser, { name, text: "somethingrare", key_id: String(keyId) })),
  );
  expect(added.map(({ status }) => status)).toEqual(names.map(() => 200));
  const page = await (await people.member.browser.get(`${PAGE}?key=${keyId}`)).text();
  for (const name of names) expect(page).toContain(name);
  const tried = await people.member.browser.post(
    `${PAGE}/test`,
    { sample: "so somethingrare is", key_id: String(keyId) },
    { json: true },
  );
  expect(await tried.json()).toMatchObject({ refused_by: null, text: "so [redacted] is", hits: { length: 8 } });
  for (const { id } of added) await remove(people.member.browser, { id, key_id: String(keyId) });
  const events = await people.admin.browser.get("/dashboard/activity");
  expect(await events.text()).toContain("changed the guardrails of the key");
});

test("conversations and stored responses hold what the model has read and the client was shown, redacted", async () => {
  const { browser } = people.admin;
  const settings = await browser.post(
    "/dashboard/admin/conversations/settings",
    { stored: "true", days: "7" },
    { json: true },
  );
  expect(settings.status).toBe(200);
  const rule = { name: "Animal", kind: "words", text: "quagga", on: "both", action: "redact", key_id: String(keyId) };
  const { id } = await add(people.member.browser, rule);
  const content = "Repeat: the quagga, they say.";
  await vi.waitFor(async () => expect((await say(content)).text).not.toContain("quagga"), 5_000);
  await portal.sql("DELETE FROM conversation");
  await call("chat/completions", { model: "sandbox-chat", messages: [{ role: "user", content }] });
  await call("chat/completions", { model: "sandbox-chat", stream: true, messages: [{ role: "user", content }] });
  const made = JSON.parse((await call("responses", { model: "sandbox-chat", input: content })).text);
  const headers = { authorization: `Bearer ${key}` };
  for (const path of [`responses/${made.id}`, `responses/${made.id}/input_items`]) {
    const read = await (await fetch(`${portal.url}/v1/${path}`, { headers })).text();
    expect(read, path).toContain("the ******");
    expect(read, path).not.toContain("quagga");
  }
  await vi.waitFor(async () => {
    const [{ n }] = await portal.sql("SELECT count(*)::int AS n FROM conversation_turn");
    expect(n).toBeGreaterThanOrEqual(3);
  }, 10_000);
  for (const row of await portal.sql("SELECT id FROM conversation")) {
    const page = await (await browser.get(`/dashboard/admin/conversations/${row.id}`)).text();
    expect(page).toContain("the ******");
    expect(page).not.toContain("quagga");
  }
  expect(await remove(people.member.browser, { id, key_id: String(keyId) })).toBe(200);
});
