import { expect, test } from "vitest";
import { begin, chatLine, clientOf, linesOf, over } from "../../support/batches";
import { eventually, expectCleanBooks, startChatGateway } from "../../support/chat-gateway";
import { freshDatabase } from "../../support/database";
import { startStandIn } from "../../support/stand-in-supplier";

test.concurrent("a key's rate limit makes its batch wait, and no line is refused for it", async () => {
  const gateway = await startChatGateway();
  const { key } = await gateway.createKey({ rate_limit_rpm: 3 });
  const client = clientOf(gateway, key);
  for (let call = 0; call < 3; call += 1) expect((await gateway.chat({}, { key })).status).toBe(200);
  // The rate window is full, and has a few seconds left.
  await gateway.sql("UPDATE rate_stamp SET at = at - interval '52 seconds'");
  const lines = Array.from({ length: 3 }, (_, index) => chatLine(index));
  const batch = await over(client, (await begin(client, lines)).id, 60_000);
  expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 3, failed: 0 } });
  const [waited] = await eventually(
    () => gateway.sql("SELECT sum(times)::int AS times FROM gateway_refusal WHERE code = 'rate_limit_exceeded'"),
    ([row]) => row.times > 0,
  );
  expect(waited.times).toBeGreaterThan(0);
  await gateway.close();
});

test.concurrent.each([
  // The outcome of lines in flight at the supplier is unknown: at most as many as run at once.
  ["SIGKILL", 4],
  ["SIGTERM", 0],
] as const)(
  "a process that ends by %s in the middle of a batch: the next one goes on, and each line is paid at most once",
  async (signal, mayBeLost) => {
    const database = await freshDatabase();
    // The embedded database ends with its process.
    if (database.embedded) return database.close();
    const standIn = await startStandIn();
    const env = { GW_HOLD_LEASE_SECONDS: "2" };
    const first = await startChatGateway({ database, standIn, env });
    const client = clientOf(first, first.budgetKey);
    const lines = Array.from({ length: 40 }, (_, index) => chatLine(index, { user: "tokens=3;delay=300" }));
    const made = await begin(client, lines);
    await eventually(
      () => first.sql("SELECT completed FROM batch"),
      ([row]) => row.completed >= 8,
      20_000,
    );
    await first.kill(signal);
    const more = { database, standIn, env, dataDir: first.dataDir, adminKey: first.adminKey };
    const second = await startChatGateway(more);
    const again = clientOf(second, first.budgetKey);
    const batch = await over(again, made.id, 100_000);
    expect(batch).toMatchObject({ status: "completed", request_counts: { total: 40 } });
    const done = await linesOf(again, batch.output_file_id);
    const lost = await linesOf(again, batch.error_file_id);
    expect(new Set([...done, ...lost].map(({ custom_id }) => custom_id)).size).toBe(40);
    expect(lost.length).toBeLessThanOrEqual(mayBeLost);
    for (const { error } of lost) expect(error?.code).toBe("operation_in_progress");
    const paid = await eventually(
      () => second.sql("SELECT request_id::text AS id FROM usage_event WHERE charged > 0"),
      (rows) => rows.length >= done.length,
    );
    // Every answer in the output is charged under its own call id, and nothing else is charged.
    expect(paid.map(({ id }) => id).toSorted()).toEqual(done.map(({ response }) => response?.request_id).toSorted());
    // By the supplier's own count, no line was processed twice.
    const worked = (await standIn.bill()).length;
    expect(worked).toBeGreaterThanOrEqual(done.length);
    expect(worked).toBeLessThanOrEqual(done.length + lost.length);
    const open = await second.sql("SELECT state FROM hold WHERE state NOT IN ('settled', 'released')");
    expect(open.map(({ state }) => state)).toEqual(lost.map(() => "review"));
    await expectCleanBooks(second);
    await second.close();
    await first.close();
    await standIn.close();
    await database.close();
  },
  180_000,
);
