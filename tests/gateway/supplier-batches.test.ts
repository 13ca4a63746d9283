import OpenAI, { toFile } from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type ChatGateway,
  catalogueFor,
  eventually,
  expectCleanBooks,
  priceOf,
  startChatGateway,
} from "../support/chat-gateway";
import { freshDatabase } from "../support/database";
import { freePort, type GatewayOptions } from "../support/gateway";
import { type StandIn, startStandIn } from "../support/stand-in-supplier";

type Told = {
  custom_id: string;
  response: null | { status_code: number; request_id: string; body: { error?: { code: string } } };
  error: null | { code: string; message: string };
};
type Processing = { supplier: string; lines: number; status: string; reason: string | null }[];

const OVER = ["completed", "failed", "cancelled", "expired"];
const ENDPOINT = "/v1/chat/completions";
const QUIET = { reads: 1, outcome: "completed" as const, refuse: {}, delayMs: {}, lost: [] as string[] };

/** A supplier that takes batches at half its price, and one that does not. */
async function startBulkGateway(
  options: GatewayOptions & { standIn?: StandIn } = {},
): Promise<ChatGateway & { standIn: StandIn }> {
  const standIn = options.standIn ?? (await startStandIn());
  const catalogue = catalogueFor(standIn.url, await freePort()) as { suppliers: object[]; models: object[] };
  const bulk = {
    ...{ name: "bulk", kind: "chat", base_url: standIn.url, region: "eu", cooldown: false },
    ...{ credentials: [{ name: "main", api_key: "sk-of-the-bulk-supplier" }] },
    batch: { protocol: "openai", price: 0.5 },
  };
  const price = { input_per_mtok: 0.5, output_per_mtok: 1.5 };
  const model = (id: string, ...suppliers: string[]) => ({
    ...{ id, owned_by: "stand-in", capability: "chat", context_tokens: 128_000, max_output_tokens: 4_000 },
    routes: suppliers.map((supplier, index) => ({ supplier, upstream_model: `up-${id}`, priority: index + 1, price })),
  });
  const config = {
    suppliers: [...catalogue.suppliers, bulk],
    models: [...catalogue.models, model("bulk-chat", "bulk"), model("either-chat", "primary", "bulk")],
  };
  return startChatGateway({ ...options, standIn, config });
}

const clientOf = ({ url }: { url: string }, apiKey: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
const chatLine = (index: number, user = `tokens=${index + 1}`, body: object = {}) => ({
  ...{ custom_id: `line-${index}`, method: "POST", url: ENDPOINT },
  body: { model: "bulk-chat", max_tokens: 20, user, messages: [{ role: "user", content: "Hello" }], ...body },
});
const linesFor = (count: number) => Array.from({ length: count }, (_, index) => chatLine(index));

async function begin(client: OpenAI, lines: readonly object[]) {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const file = await client.files.create({ purpose: "batch", file: await toFile(Buffer.from(text), "b.jsonl") });
  return client.batches.create({ input_file_id: file.id, endpoint: ENDPOINT, completion_window: "24h" });
}
const over = (client: OpenAI, id: string, patienceMs = 60_000) =>
  eventually(
    () => client.batches.retrieve(id),
    ({ status }) => OVER.includes(status),
    patienceMs,
  );
const processingOf = (batch: object) => (batch as { processing: Processing }).processing;
async function linesOf(client: OpenAI, fileId: string | null | undefined): Promise<Told[]> {
  if (fileId == null) return [];
  const text = await (await client.files.content(fileId)).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Told);
}
const idsOf = (told: readonly Told[]) => told.map(({ response }) => response?.request_id).toSorted();

describe("a batch of a supplier that takes batches", () => {
  let gateway: ChatGateway & { standIn: StandIn };
  let client: OpenAI;
  beforeAll(async () => {
    gateway = await startBulkGateway({ env: { GW_HOLD_LEASE_SECONDS: "2" } });
    client = clientOf(gateway, gateway.budgetKey);
  });
  afterEach(async () => {
    await gateway.standIn.plan({ batch: QUIET });
    await gateway.standIn.forget();
    await expectCleanBooks(gateway);
  });
  afterAll(() => gateway?.close());

  const steps = async () => (await gateway.standIn.seen()).requests.map(({ fault }) => fault);
  const usageOf = (batchId: string) =>
    gateway.sql(
      `SELECT request_id::text AS id, charged::int, cost::int, outcome, status, input_tokens AS input, output_tokens AS output,
              token_source AS source, routing->'batch' AS batch
         FROM usage_event WHERE routing->'batch'->>'id' IN (SELECT id FROM supplier_batch WHERE batch_id = $1) ORDER BY id`,
      [batchId],
    );
  const openHolds = () => gateway.sql("SELECT state FROM hold WHERE state NOT IN ('settled', 'released')");
  const supplierHas = () => eventually(steps, (seen) => seen.includes("read"), 20_000);

  test("is answered by it at half the price, exactly, whatever the order of its answers", async () => {
    const before = (await gateway.standIn.bill()).length;
    const made = await begin(client, linesFor(12));
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({
      ...{ status: "completed", request_counts: { total: 12, completed: 12, failed: 0 }, error_file_id: null },
      processing: [{ supplier: "bulk", lines: 12, status: "ended", reason: null }],
    });
    const told = await linesOf(client, batch.output_file_id);
    expect(told.map(({ custom_id }) => custom_id)).toEqual(linesFor(12).map(({ custom_id }) => custom_id));
    const worked = (await gateway.standIn.bill()).slice(before);
    expect(worked.every(({ reason }) => reason === "batch")).toBe(true);
    // The supplier's own bill, line by line: each costs half of what it would cost as a call.
    const rows = await eventually(
      () => usageOf(made.id),
      (all) => all.length === 12,
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual(worked.map(({ id }) => id).toSorted());
    for (const { id, promptTokens, completionTokens } of worked)
      expect(rows.find((row) => row.id === id)).toMatchObject({
        ...{ input: promptTokens, output: completionTokens, outcome: "complete", source: "supplier" },
        charged: Number(priceOf(promptTokens, completionTokens) / 2n),
        batch: { priceMillionths: 500_000 },
      });
    expect(idsOf(told)).toEqual(rows.map(({ id }) => id).toSorted());
    // What it was sent names no client, and does not stay there.
    const { requests } = await gateway.standIn.seen();
    const upload = requests.find(({ fault }) => fault === "upload");
    expect(upload?.body).not.toContain("line-1");
    expect(upload?.body).toContain("up-bulk-chat");
    expect(upload?.headers.authorization).toBe("Bearer sk-of-the-bulk-supplier");
    await eventually(steps, (seen) => seen.filter((step) => step === "forget").length === 3);
    expect(await openHolds()).toEqual([]);
  });

  test("is held for, line by line, until it is over, however short leases are", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, reads: 1_000 } });
    const made = await begin(client, linesFor(3));
    await supplierHas();
    const amounts = await gateway.sql(
      "SELECT amount::int FROM hold WHERE id IN (SELECT call_id FROM batch_line WHERE batch_id = $1)",
      [made.id],
    );
    // Half of what an ordinary call may cost: 20 tokens of answer, and no more tokens than bytes of request.
    expect(amounts).toHaveLength(3);
    for (const { amount } of amounts) expect(amount).toBeLessThan(Number(priceOf(400, 20)) / 2);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect((await openHolds()).map(({ state }) => state)).toEqual(["dispatched", "dispatched", "dispatched"]);
    await gateway.standIn.plan({ batch: QUIET });
    expect((await over(client, made.id)).status).toBe("completed");
    expect(await openHolds()).toEqual([]);
  });

  test("that is cancelled is cancelled there, and what was worked is charged and told", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, reads: 1_000, worked: 2 } });
    const made = await begin(client, linesFor(5));
    await supplierHas();
    await client.batches.cancel(made.id);
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ status: "cancelled", request_counts: { total: 5, completed: 2, failed: 0 } });
    expect(await linesOf(client, batch.output_file_id)).toHaveLength(2);
    expect((await usageOf(made.id)).map(({ charged }) => charged > 0)).toEqual([true, true]);
    expect(await openHolds()).toEqual([]);
  });

  test("that expires there charges what was worked, and tells the rest so", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, outcome: "expired", worked: 2 } });
    const made = await begin(client, linesFor(5));
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ request_counts: { total: 5, completed: 2, failed: 3 } });
    const late = await linesOf(client, batch.error_file_id);
    expect(late.map(({ error }) => error?.code)).toEqual(["batch_expired", "batch_expired", "batch_expired"]);
    expect(await usageOf(made.id)).toHaveLength(2);
    expect(await openHolds()).toEqual([]);
  });

  test("that fails as a whole there costs nothing, and its lines say why", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, outcome: "failed" } });
    const made = await begin(client, linesFor(3));
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 0, failed: 3 } });
    for (const { error } of await linesOf(client, batch.error_file_id))
      expect(error).toEqual({ code: "model_not_supported", message: "not in a batch" });
    expect(await usageOf(made.id)).toEqual([]);
    expect(await openHolds()).toEqual([]);
  });

  test("has lines that go wrong each in its own way, and none of them twice or for nothing", async () => {
    const faults = ["refused", "engine", "missing", "twice", "nonsense", "insane-large", "no-usage"];
    const lines = faults.map((fault, index) => chatLine(index, `tokens=4;fault=${fault}`));
    const made = await begin(client, lines);
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { total: 7, completed: 4, failed: 3 } });
    const told = [...(await linesOf(client, batch.output_file_id)), ...(await linesOf(client, batch.error_file_id))];
    const byFault = (fault: string) => told.find(({ custom_id }) => custom_id === `line-${faults.indexOf(fault)}`);
    expect(byFault("refused")?.response).toMatchObject({
      status_code: 400,
      body: { error: { code: "bad_line" } },
    });
    expect(byFault("engine")?.error).toEqual({ code: "server_error", message: "the engine failed" });
    expect(byFault("missing")?.response?.body.error?.code).toBe("upstream_invalid_response");
    const rows = await usageOf(made.id);
    const rowOf = (fault: string) => rows.find(({ id }) => id === byFault(fault)?.response?.request_id);
    expect(rowOf("refused")).toMatchObject({ outcome: "not_executed", charged: 0 });
    expect(rowOf("missing")).toMatchObject({ outcome: "error", charged: 0 });
    const half = (row: { input: number; output: number }) => Number((priceOf(row.input, row.output) + 1n) / 2n);
    for (const fault of ["twice", "nonsense"]) expect(rowOf(fault).charged).toBe(half(rowOf(fault)));
    // What nobody can have used is not charged, and what is not told is counted here.
    for (const fault of ["insane-large", "no-usage"]) {
      expect(rowOf(fault)).toMatchObject({ source: "estimated" });
      expect(rowOf(fault).output).toBeLessThanOrEqual(20);
      expect(rowOf(fault).charged).toBe(half(rowOf(fault)));
    }
    expect(rows).toHaveLength(6);
    expect(await openHolds()).toEqual([]);
  });

  test("whose answer is larger than any may be loses that one, and no other", async () => {
    const made = await begin(client, [chatLine(0, "tokens=2;fault=huge"), chatLine(1), chatLine(2)]);
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ request_counts: { completed: 2, failed: 1 } });
    expect((await linesOf(client, batch.error_file_id)).map(({ custom_id }) => custom_id)).toEqual(["line-0"]);
    expect(await openHolds()).toEqual([]);
  });

  test.each([
    ["list", 404],
    ["upload", 403],
    ["create", 404],
  ])("is carried out as calls, at their price, where the supplier refuses its %s with %i", async (step, status) => {
    const before = (await gateway.standIn.bill()).length;
    await gateway.standIn.plan({ batch: { ...QUIET, refuse: { [step]: status } } });
    const made = await begin(client, linesFor(4));
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 4, failed: 0 } });
    expect(processingOf(batch)).toMatchObject([{ supplier: "bulk", lines: 4, status: "refused" }]);
    expect(processingOf(batch)[0]?.reason).toContain(String(status));
    const worked = (await gateway.standIn.bill()).slice(before);
    const ids = worked.map(({ id }) => id);
    const rows = await eventually(
      () => gateway.sql("SELECT charged::int FROM usage_event WHERE request_id = ANY ($1::uuid[])", [ids]),
      (all) => all.length === 4,
    );
    const whole = worked.map(({ promptTokens, completionTokens }) => Number(priceOf(promptTokens, completionTokens)));
    expect(rows.map(({ charged }) => charged).toSorted()).toEqual(whole.toSorted());
    expect(await openHolds()).toEqual([]);
  });

  test("waits for a supplier that is busy, and holds nothing meanwhile", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, refuse: { list: 503 } } });
    const made = await begin(client, linesFor(2));
    await eventually(steps, (seen) => seen.filter((step) => step === "list").length > 1, 30_000);
    expect(await openHolds()).toEqual([]);
    await gateway.standIn.plan({ batch: QUIET });
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 2 } });
    expect(await usageOf(made.id)).toHaveLength(2);
  });

  test("is looked for, and not made again, when its supplier did not say that it has it", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, lost: ["create"] } });
    const made = await begin(client, linesFor(3));
    await eventually(steps, (seen) => seen.includes("create"), 20_000);
    await gateway.standIn.plan({ batch: QUIET });
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 3 } });
    expect((await steps()).filter((step) => step === "create")).toHaveLength(1);
    expect(await usageOf(made.id)).toHaveLength(3);
  });

  test("sends no line that cannot be paid, and tells so on each of them", async () => {
    // Enough for some lines only, each held at half its price.
    const { key } = await gateway.createKey({ budget_limit: 0.0003, budget_period: "monthly" });
    const poor = clientOf(gateway, key);
    const made = await begin(poor, linesFor(10));
    const batch = await over(poor, made.id);
    const done = await linesOf(poor, batch.output_file_id);
    const refused = await linesOf(poor, batch.error_file_id);
    expect(done.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(done.length + refused.length).toBe(10);
    for (const { response } of refused)
      expect(response).toMatchObject({ status_code: 429, body: { error: { code: "budget_exceeded" } } });
    expect(await usageOf(made.id)).toHaveLength(done.length);
    expect(await openHolds()).toEqual([]);
  });

  test("takes the route that takes batches, inside the regions of its key only", async () => {
    const made = await begin(client, [chatLine(0, "tokens=2", { model: "either-chat" })]);
    expect(processingOf(await over(client, made.id))).toMatchObject([{ supplier: "bulk", lines: 1 }]);
    const { key } = await gateway.createKey({ allowed_regions: ["us"] });
    const abroad = clientOf(gateway, key);
    const batch = await over(abroad, (await begin(abroad, [chatLine(0)])).id);
    expect(batch).toMatchObject({ status: "failed", errors: { data: [{ code: "sovereign_route_unavailable" }] } });
  });

  test("whose key is revoked is cancelled there, and what was worked is charged", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, reads: 1_000, worked: 1 } });
    const { id, key } = await gateway.createKey({ budget_limit: 10, budget_period: "monthly" });
    const leaving = clientOf(gateway, key);
    const made = await begin(leaving, linesFor(3));
    await supplierHas();
    await gateway.sql("UPDATE api_key SET status = 'revoked' WHERE public_id = $1", [id]);
    const [row] = await eventually(
      () => gateway.sql("SELECT state, errors, completed, failed FROM batch WHERE id = $1", [made.id]),
      ([{ state }]) => OVER.includes(state),
      60_000,
    );
    expect(row).toMatchObject({ state: "failed", errors: [{ code: "invalid_api_key" }], completed: 1, failed: 2 });
    expect((await usageOf(made.id)).map(({ charged }) => charged > 0)).toEqual([true]);
    expect(await openHolds()).toEqual([]);
  });
});

describe("a process that is killed", () => {
  test.each(["list", "upload", "create", "read", "content", "forget"])(
    "while its supplier answers a %s: the next one goes on, and every line is worked and charged once",
    async (step) => {
      const database = await freshDatabase();
      // The embedded database dies with its process.
      if (database.embedded) return database.close();
      const standIn = await startStandIn();
      const env = { GW_HOLD_LEASE_SECONDS: "2" };
      const first = await startBulkGateway({ database, standIn, env });
      const client = clientOf(first, first.budgetKey);
      await standIn.plan({ batch: { ...QUIET, delayMs: { [step]: 3_000 } } });
      const made = await begin(client, linesFor(20));
      await eventually(
        async () => (await standIn.seen()).requests.map(({ fault }) => fault),
        (seen) => seen.includes(step),
        30_000,
      );
      await first.kill("SIGKILL");
      await standIn.plan({ batch: QUIET });
      const more = { database, standIn, env, dataDir: first.dataDir, adminKey: first.adminKey };
      const second = await startBulkGateway(more);
      const again = clientOf(second, first.budgetKey);
      const batch = await over(again, made.id, 150_000);
      expect(batch).toMatchObject({ status: "completed", request_counts: { total: 20, completed: 20, failed: 0 } });
      const done = await linesOf(again, batch.output_file_id);
      const worked = await standIn.bill();
      expect(worked).toHaveLength(20);
      const rows = await eventually(
        () => second.sql("SELECT request_id::text AS id, charged::int FROM usage_event WHERE charged > 0"),
        (all) => all.length >= 20,
      );
      expect(rows.map(({ id }) => id).toSorted()).toEqual(worked.map(({ id }) => id).toSorted());
      for (const { id, promptTokens, completionTokens } of worked)
        expect(rows.find((row) => row.id === id)?.charged).toBe(Number(priceOf(promptTokens, completionTokens) / 2n));
      expect(idsOf(done)).toEqual(rows.map(({ id }) => id).toSorted());
      expect(await second.sql("SELECT state FROM hold WHERE state NOT IN ('settled', 'released')")).toEqual([]);
      await expectCleanBooks(second);
      await second.close();
      await first.close();
      await standIn.close();
      await database.close();
    },
    240_000,
  );
});
