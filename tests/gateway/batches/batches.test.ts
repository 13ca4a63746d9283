import type OpenAI from "openai";
import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, chatLine, clientOf, ENDPOINT, linesOf, OVER, over } from "../../support/batches";
import { type ChatGateway, eventually, expectCleanBooks, startChatGateway } from "../../support/chat-gateway";

describe("a batch", () => {
  let gateway: ChatGateway;
  let client: OpenAI;
  beforeAll(async () => {
    gateway = await startChatGateway();
    client = clientOf(gateway, gateway.budgetKey);
  });
  afterAll(() => gateway?.close());

  const charges = () =>
    gateway.sql(
      "SELECT request_id::text AS id, charged::int AS charged, endpoint, outcome FROM usage_event ORDER BY id",
    );

  test("carries out every line as a call of its key, and tells each answer under its custom_id", async () => {
    const before = (await charges()).length;
    const lines = Array.from({ length: 10 }, (_, index) => chatLine(index));
    const made = await begin(client, lines, { metadata: { what: "test" } });
    expect(made).toMatchObject({ object: "batch", status: "validating", metadata: { what: "test" } });
    const batch = await over(client, made.id);
    expect(batch).toMatchObject({
      ...{ status: "completed", request_counts: { total: 10, completed: 10, failed: 0 }, error_file_id: null },
      ...{ errors: null, endpoint: ENDPOINT },
    });
    expect(batch.completed_at).toBeGreaterThanOrEqual(batch.created_at);
    const told = await linesOf(client, batch.output_file_id);
    expect(told.map(({ custom_id }) => custom_id)).toEqual(lines.map(({ custom_id }) => custom_id));
    expect(told.every(({ response, error }) => response?.status_code === 200 && error === null)).toBe(true);
    const ids = told.map(({ response }) => response?.request_id);
    const booked = await eventually(charges, (rows) => rows.length === before + 10);
    expect(
      booked
        .slice(before)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted());
    expect(booked.slice(before).every(({ charged, endpoint }) => charged > 0 && endpoint === "chat/completions")).toBe(
      true,
    );
    expect(await gateway.sql("SELECT count(*)::int AS left FROM batch_line")).toEqual([{ left: 0 }]);
    expect((await client.files.retrieve(batch.output_file_id as string)).purpose).toBe("batch_output");
    await expectCleanBooks(gateway);
  });

  test("whose file has lines that cannot be carried out is refused with each of them, and nothing is called", async () => {
    const before = (await gateway.standIn.bill()).length;
    const wrong = [
      chatLine(0),
      "{not json",
      chatLine(0),
      chatLine(3, {}, { method: "GET" }),
      chatLine(4, {}, { url: "/v1/embeddings" }),
      chatLine(5, { model: "nothing-like-it" }),
      chatLine(6, { stream: true }),
      chatLine(7, {}, { custom_id: undefined }),
      chatLine(8, {}, { body: "text" }),
      "[1]",
      "",
      chatLine(9, { max_tokens: "many" }),
    ];
    const batch = await over(client, (await begin(client, wrong)).id);
    expect(batch).toMatchObject({ status: "failed", output_file_id: null, request_counts: { total: 0 } });
    expect(batch.errors?.data?.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 12]);
    expect(batch.errors?.data?.map(({ code }) => code).slice(0, 6)).toEqual([
      ...["invalid_json", "validation_error", "validation_error", "validation_error", "model_not_found"],
      "unsupported_parameter",
    ]);
    expect(await gateway.standIn.bill()).toHaveLength(before);
    expect((await over(client, (await begin(client, [""])).id)).errors?.data?.[0]?.code).toBe("invalid_request");
  });

  test("has in its error file what suppliers refuse, beside what is answered", async () => {
    const lines = [chatLine(0), chatLine(1, { model: "closed-chat" }), chatLine(2)];
    const made = await begin(client, lines);
    // Attempts wait increasingly long; the test ends each wait at its next read.
    const batch = await eventually(
      async () => {
        await gateway.sql("UPDATE batch_line SET not_before = now() WHERE not_before > now()");
        return client.batches.retrieve(made.id);
      },
      ({ status }) => OVER.includes(status),
      60_000,
    );
    expect(batch).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 2, failed: 1 } });
    const refusals = "SELECT count(*)::int AS tries FROM usage_event WHERE requested_model = 'closed-chat'";
    expect(await gateway.sql(refusals)).toEqual([{ tries: 4 }]);
    expect((await linesOf(client, batch.output_file_id)).map(({ custom_id }) => custom_id)).toEqual([
      "line-0",
      "line-2",
    ]);
    const [refused] = await linesOf(client, batch.error_file_id);
    expect(refused).toMatchObject({ custom_id: "line-1", error: null });
    expect(refused?.response?.status_code).toBeGreaterThanOrEqual(500);
  }, 90_000);

  test("is refused where its request makes no sense", async () => {
    const file = await client.files.create({ purpose: "batch", file: await toFile(Buffer.from("{}"), "x") });
    const create = (fields: object) =>
      client.batches.create({ input_file_id: file.id, endpoint: ENDPOINT, completion_window: "24h", ...fields });
    for (const [fields, status, param] of [
      [{ input_file_id: "file-nobodys" }, 404, "input_file_id"],
      [{ endpoint: "/v1/audio/speech" }, 422, "endpoint"],
      [{ completion_window: "1h" }, 422, "completion_window"],
      [{ metadata: { a: 1 } }, 422, "metadata.a"],
      [{ output_expires_after: { anchor: "created_at", seconds: 1 } }, 400, "expires_after"],
    ] as const)
      await expect(create(fields), JSON.stringify(fields)).rejects.toMatchObject({ status, param });
    await expect(client.batches.retrieve("batch_nobodys")).rejects.toMatchObject({ status: 404 });
    await expect(client.batches.cancel("batch_nobodys")).rejects.toMatchObject({ status: 404 });
  });

  test("is its owner's alone, and so are its file and its results", async () => {
    const made = await begin(client, [chatLine(0)]);
    const done = await over(client, made.id);
    await gateway.sql("UPDATE batch SET user_id = 424242 WHERE id = $1", [made.id]);
    await expect(client.batches.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    await expect(client.batches.cancel(made.id)).rejects.toMatchObject({ status: 404 });
    expect(JSON.stringify(await client.batches.list())).not.toContain(made.id);
    await gateway.sql("UPDATE stored_file SET user_id = 424242 WHERE id = ANY ($1)", [
      [made.input_file_id, done.output_file_id],
    ]);
    await expect(client.files.content(done.output_file_id as string)).rejects.toMatchObject({ status: 404 });
    await expect(
      client.batches.create({ input_file_id: made.input_file_id, endpoint: ENDPOINT, completion_window: "24h" }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test("that is cancelled finishes what is under way and begins nothing else", async () => {
    const slow = (index: number) => chatLine(index, { user: "tokens=1;delay=700" });
    const made = await begin(
      client,
      Array.from({ length: 100 }, (_, index) => slow(index)),
    );
    await eventually(
      () => client.batches.retrieve(made.id),
      ({ request_counts }) => (request_counts?.completed ?? 0) > 0,
      15_000,
    );
    await expect(client.files.delete(made.input_file_id)).rejects.toMatchObject({ status: 409 });
    expect((await client.batches.cancel(made.id)).status).toBe("cancelling");
    expect((await client.batches.cancel(made.id)).object).toBe("batch");
    const batch = await over(client, made.id);
    const { completed = 0, failed = 0 } = batch.request_counts ?? {};
    expect(batch).toMatchObject({ status: "cancelled", error_file_id: null });
    expect(completed).toBeGreaterThan(0);
    expect(completed + failed).toBeLessThan(100);
    expect(await linesOf(client, batch.output_file_id)).toHaveLength(completed);
    await expect(client.batches.cancel(made.id)).rejects.toMatchObject({ status: 409 });
    await client.files.delete(made.input_file_id);
    await expectCleanBooks(gateway);
  });

  test("that expires tells which lines there was no time for", async () => {
    const slow = chatLine(0, { user: "tokens=1;delay=1500" });
    const made = await begin(
      client,
      Array.from({ length: 60 }, (_, index) => ({ ...slow, custom_id: `line-${index}` })),
    );
    await eventually(
      () => client.batches.retrieve(made.id),
      ({ request_counts }) => (request_counts?.completed ?? 0) > 0,
      15_000,
    );
    await gateway.sql("UPDATE batch SET expires_at = now() WHERE id = $1", [made.id]);
    const batch = await over(client, made.id);
    expect(batch.status).toBe("expired");
    const done = await linesOf(client, batch.output_file_id);
    const late = await linesOf(client, batch.error_file_id);
    expect(done.length + late.length).toBe(60);
    expect(late[0]).toMatchObject({ response: null, error: { code: "batch_expired" } });
    expect(new Set([...done, ...late].map(({ custom_id }) => custom_id)).size).toBe(60);
  });

  test("whose key cannot pay ends, and tells so on every line", async () => {
    // The budget is enough for a few lines.
    const { key } = await gateway.createKey({ budget_limit: 0.0001, budget_period: "monthly" });
    const poor = clientOf(gateway, key);
    const batch = await over(
      poor,
      (
        await begin(
          poor,
          Array.from({ length: 20 }, (_, index) => chatLine(index)),
        )
      ).id,
      45_000,
    );
    expect(batch).toMatchObject({ status: "failed", errors: { data: [{ code: "budget_exceeded" }] } });
    const done = await linesOf(poor, batch.output_file_id);
    const refused = await linesOf(poor, batch.error_file_id);
    expect(done.length).toBeGreaterThan(0);
    expect(done.length + refused.length).toBe(20);
    for (const { response, error } of refused)
      expect(error?.code ?? response?.body.error?.code).toBe("budget_exceeded");
    await expectCleanBooks(gateway);
  });

  test("whose key is revoked begins no more lines", async () => {
    const { id, key } = await gateway.createKey({ budget_limit: 10, budget_period: "monthly" });
    const leaving = clientOf(gateway, key);
    const slow = (index: number) => chatLine(index, { user: "tokens=1;delay=500" });
    const made = await begin(
      leaving,
      Array.from({ length: 200 }, (_, index) => slow(index)),
    );
    await eventually(
      () => gateway.sql("SELECT completed FROM batch WHERE id = $1", [made.id]),
      ([row]) => row.completed > 0,
      15_000,
    );
    await gateway.sql("UPDATE api_key SET status = 'revoked' WHERE public_id = $1", [id]);
    const [row] = await eventually(
      () => gateway.sql("SELECT state, errors, completed + failed AS ended FROM batch WHERE id = $1", [made.id]),
      ([{ state }]) => OVER.includes(state),
      30_000,
    );
    expect(row).toMatchObject({ state: "failed", errors: [{ code: "invalid_api_key" }], ended: 200 });
  });
});
