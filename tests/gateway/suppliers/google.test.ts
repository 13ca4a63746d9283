import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCleanBooks, priceOf, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { type GoogleStandIn, startGoogleStandIn } from "../../support/stand-in-google";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";

let standIn: StandIn;
let google: GoogleStandIn;
let gateway: Gateway;

const model = (id: string, ...routes: [supplier: string, upstream: string][]) => ({
  id,
  context_tokens: 128_000,
  max_output_tokens: 4_000,
  routes: routes.map(([supplier, upstream_model], index) => ({
    ...{ supplier, upstream_model, priority: index + 1 },
    price: { input_per_mtok: 0.5, output_per_mtok: 1.5 },
  })),
});

beforeAll(async () => {
  standIn = await startStandIn();
  google = await startGoogleStandIn(standIn.url);
  const oauth = { name: "main", token_url: google.tokenUrl, client_id: "gw", client_secret: "hush", scope: "models" };
  const supplier = (name: string, kind: string, base_url: string, credential: object) => ({
    ...{ name, kind, base_url, region: "eu", cooldown: false },
    credentials: [{ name: "main", ...credential }],
  });
  gateway = await startGateway({
    config: {
      suppliers: [
        supplier("gemini", "gemini", google.geminiUrl, { api_key: "sk-supplier" }),
        supplier("vertex", "vertex", google.vertexUrl, { api_key: google.serviceAccount }),
        supplier("oauth", "vertex", google.vertexUrl, oauth),
        supplier("stranger", "vertex", google.vertexUrl, { ...oauth, client_secret: "wrong" }),
        supplier("chat", "chat", standIn.url, oauth),
      ],
      models: [
        model("gemini", ["gemini", "gemini-2.5-flash"]),
        model("vertex", ["vertex", "gemini-2.5-flash"]),
        model("oauth", ["oauth", "gemini-2.5-flash"]),
        model("stranger", ["stranger", "gemini-2.5-flash"]),
        model("limited", ["gemini", "x-fault-429"], ["vertex", "gemini-2.5-flash"]),
        model("cut", ["gemini", "x-fault-cut"]),
        model("failing", ["gemini", "x-fault-error-mid"]),
        model("chat", ["chat", "m"]),
      ],
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  await google?.close();
  await standIn?.close();
});

const BODIES = {
  "chat/completions": { messages: [{ role: "user", content: "Hello" }], max_tokens: 30 },
  completions: { prompt: "Hello", max_tokens: 30 },
  messages: { messages: [{ role: "user", content: "Hello" }], max_tokens: 30 },
  responses: { input: "Hello", max_output_tokens: 30, store: false },
} as const;
type Endpoint = keyof typeof BODIES;

const ask = (endpoint: Endpoint, body: object) =>
  fetch(`${gateway.url}/v1/${endpoint}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...BODIES[endpoint], ...body }),
  });

/** Returns the charge of a call, and its cost by the supplier's own bill. */
async function moneyOf(response: Response) {
  const callId = response.headers.get("x-request-id")!;
  const [usage] = await usageRows(gateway, callId);
  const billed = (await standIn.bill()).filter(({ id }) => id === callId);
  return { usage: usage!, billed: billed.map((each) => priceOf(each.promptTokens, each.completionTokens)) };
}

describe.each(Object.keys(BODIES) as Endpoint[])("generateContent for clients of %s", (endpoint) => {
  test.each([
    ["gemini", false],
    ["gemini", true],
    ["vertex", false],
    ["vertex", true],
  ])("%s answers and is charged by its own bill, thoughts included, stream: %s", async (name, stream) => {
    const response = await ask(endpoint, { model: name, stream });
    expect(await response.text()).toContain("w0");
    expect(response.status).toBe(200);
    const { usage, billed } = await moneyOf(response);
    expect(usage).toMatchObject({ outcome: "complete", tokenSource: "supplier" });
    expect([usage.charged]).toEqual(billed);
    const operation = stream ? "streamGenerateContent?alt=sse" : "generateContent";
    expect(google.asked.at(-1)!.path.endsWith(`/models/gemini-2.5-flash:${operation}`)).toBe(true);
  });

  test("goes on with the next supplier where it is limited", async () => {
    const response = await ask(endpoint, { model: "limited", stream: true });
    expect(await response.text()).toContain("w0");
    expect(response.headers.get("x-gw-supplier")).toBe("vertex");
  });

  test("charges what was delivered of a stream that breaks or fails", async () => {
    for (const name of ["cut", "failing"]) {
      const response = await ask(endpoint, { model: name, stream: true });
      expect(await response.text()).toMatch(/error/);
      const { usage } = await moneyOf(response);
      expect(usage).toMatchObject({ tokenSource: "estimated" });
      expect(usage.charged).toBeGreaterThan(0n);
    }
  });
});

describe("a token of an account", () => {
  test("is asked for once, however many calls come together, and again when it is refused", async () => {
    const before = google.tokens();
    const statuses = async () =>
      Promise.all([1, 2, 3].map(() => ask("messages", { model: "oauth" }).then((r) => r.status)));
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(google.tokens()).toBe(before + 1);
    google.revoke();
    expect((await ask("messages", { model: "oauth" })).status).toBe(200);
    expect(google.tokens()).toBe(before + 2);
  });

  test("signs in at suppliers of other kinds, too", async () => {
    expect((await ask("chat/completions", { model: "chat" })).status).toBe(200);
    const { requests } = await standIn.seen();
    expect(requests.at(-1)!.headers.authorization).toMatch(/^Bearer token-\d+$/);
  });

  test("that is not to be had is not the client's affair", async () => {
    const response = await ask("chat/completions", { model: "stranger" });
    expect(response.status).toBe(502);
    expect(await response.text()).not.toMatch(/token|wrong|hush/);
  });

  test("is in the database sealed only", async () => {
    const rows = await gateway.sql("SELECT row_to_json(c)::text AS text FROM supplier_credential c");
    expect(rows.length).toBe(5);
    for (const { text } of rows) expect(text).not.toMatch(/PRIVATE KEY|hush|sk-supplier/);
  });
});

test("the books are clean", () => expectCleanBooks(gateway));
