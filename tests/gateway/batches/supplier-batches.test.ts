import type OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type BulkGateway,
  begin,
  chatLine,
  clientOf,
  idsOf,
  linesFor,
  linesOf,
  OVER,
  over,
  processingOf,
  QUIET,
  startBulkGateway,
} from "../../support/bulk-gateway";
import { eventually, expectCleanBooks, priceOf } from "../../support/chat-gateway";

describe("a batch of a supplier that takes batches", () => {
  let gateway: BulkGateway;
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
              token_source AS source, routing->'batch' AS batch,
              routing->>'batchId' AS "batchId"
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
    // By the supplier's own bill each line costs half the price of a call.
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
        batchId: made.id,
      });
    expect(idsOf(told)).toEqual(rows.map(({ id }) => id).toSorted());
    // The uploaded file does not identify a client, and is deleted at the supplier.
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
    // Half the maximum cost of a call: 20 output tokens, and at most one input token per byte.
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
    // Impossible usage is not charged, and missing usage is counted by gw.
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
    // The budget is enough for some lines, each held at half its price.
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

  test("goes to a supplier of messages in its own format, and comes back in the client's", async () => {
    const before = (await gateway.standIn.bill()).length;
    const letter = (index: number, user?: string) => chatLine(index, user, { model: "letter-chat" });
    const made = await begin(client, [letter(0), letter(1, "tokens=3;fault=refused"), letter(2)]);
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 2, failed: 1 } });
    expect(processingOf(batch)).toMatchObject([{ supplier: "letters", lines: 3, status: "ended" }]);
    const done = await linesOf(client, batch.output_file_id);
    expect(done[0]?.response?.body).toMatchObject({ choices: [{ message: { role: "assistant", content: "w0" } }] });
    const worked = (await gateway.standIn.bill()).slice(before);
    const rows = await usageOf(made.id);
    for (const { id, promptTokens, completionTokens } of worked)
      expect(rows.find((row) => row.id === id)?.charged).toBe(Number(priceOf(promptTokens, completionTokens) / 2n));
    expect(idsOf(done)).toEqual(worked.map(({ id }) => id).toSorted());
    expect((await linesOf(client, batch.error_file_id))[0]?.response?.status_code).toBe(400);
    await eventually(steps, (seen) => seen.includes("forget"));
    const create = (await gateway.standIn.seen()).requests.find(({ fault }) => fault === "create");
    expect(create?.headers).toMatchObject({
      "x-api-key": "sk-of-the-bulk-supplier",
      "anthropic-version": "2023-06-01",
    });
    expect(await openHolds()).toEqual([]);
  });

  test("at a supplier of messages is told apart line by line when it is cancelled", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, reads: 1_000, worked: 1 } });
    const made = await begin(
      client,
      linesFor(3).map((line) => ({ ...line, body: { ...line.body, model: "letter-chat" } })),
    );
    await supplierHas();
    await client.batches.cancel(made.id);
    expect(await over(client, made.id)).toMatchObject({
      status: "cancelled",
      request_counts: { completed: 1, failed: 0 },
    });
    expect(await usageOf(made.id)).toHaveLength(1);
    expect(await openHolds()).toEqual([]);
  });

  test("is found by its results where the supplier keeps no name of gw's", async () => {
    await gateway.standIn.plan({ batch: { ...QUIET, lost: ["create"] } });
    const made = await begin(client, [chatLine(0, "tokens=2", { model: "letter-chat" })]);
    await eventually(steps, (seen) => seen.includes("create"), 20_000);
    // The stand-in's batch ends when it is read. gw does not know its id yet, so the test reads it.
    const { data } = (await (await fetch(`${gateway.standIn.url}/messages/batches`)).json()) as {
      data: { id: string }[];
    };
    await gateway.standIn.plan({ batch: QUIET });
    await fetch(`${gateway.standIn.url}/messages/batches/${data[0]?.id}`);
    expect(await over(client, made.id)).toMatchObject({ status: "completed", request_counts: { completed: 1 } });
    expect(
      (await gateway.standIn.seen()).requests.filter(({ fault, method }) => fault === "create" && method === "POST"),
    ).toHaveLength(1);
    expect(await usageOf(made.id)).toHaveLength(1);
  });

  test("is guarded line by line: what goes there is redacted or not sent, and what comes back is redacted or withheld", async () => {
    const rule = (on: string, action: string, word: string) => ({
      ...{ id: "0123456789ab", name: `${action} ${word}`, on, action, kind: "words", words: [word] },
    });
    const { id, key } = await gateway.createKey({ budget_limit: 10, budget_period: "monthly" });
    const rules = [
      rule("input", "refuse", "forbidden"),
      rule("input", "redact", "secret"),
      rule("output", "redact", "w1"),
      rule("output", "refuse", "w9"),
    ];
    await gateway.sql("UPDATE api_key SET guardrails = $2::jsonb WHERE public_id = $1", [id, JSON.stringify(rules)]);
    const guarded = clientOf(gateway, key);
    const say = (index: number, content: string, user: string) =>
      chatLine(index, user, { messages: [{ role: "user", content }] });
    const made = await begin(guarded, [
      say(0, "a forbidden thing", "tokens=1"),
      say(1, "a secret thing", "tokens=3"),
      say(2, "a thing", "tokens=12"),
    ]);
    const batch = await over(guarded, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 1, failed: 2 } });
    const [done] = await linesOf(guarded, batch.output_file_id);
    expect(JSON.stringify(done)).not.toContain("w1");
    const refused = await linesOf(guarded, batch.error_file_id);
    expect(refused.map(({ custom_id }) => custom_id)).toEqual(["line-0", "line-2"]);
    for (const { response } of refused) expect(response?.body.error?.code).toBe("request_rejected");
    expect(JSON.stringify(refused)).not.toContain("w8");
    const upload = (await gateway.standIn.seen()).requests.find(({ fault }) => fault === "upload");
    expect(upload?.body).toContain(" thing");
    expect(upload?.body).not.toMatch(/secret|forbidden/);
    // The supplier's work is charged even without visible results, and the log reports it.
    const rows = await gateway.sql(
      "SELECT charged::int, error_code AS code, routing->'guardrails' AS found FROM usage_event WHERE routing ? 'batch' AND key_id = (SELECT id FROM api_key WHERE public_id = $1) ORDER BY charged",
      [id],
    );
    const [unsent, redacted, withheld] = rows;
    expect(unsent).toMatchObject({ charged: 0, code: "request_rejected", found: [{ name: "refuse forbidden" }] });
    expect(redacted.found).toMatchObject([{ name: "redact secret" }, { name: "redact w1" }]);
    expect(withheld).toMatchObject({ code: "request_rejected" });
    expect(withheld.charged).toBeGreaterThan(redacted.charged);
    expect(rows).toHaveLength(3);
    expect(await openHolds()).toEqual([]);
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
