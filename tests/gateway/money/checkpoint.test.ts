import { expect, test } from "vitest";
import { eventually, expectCleanBooks, INPUT_PRICE, OUTPUT_PRICE, startChatGateway } from "../../support/chat-gateway";
import { freshDatabase } from "../../support/database";
import { startStandIn } from "../../support/stand-in-supplier";

test("how far a long stream has come is known after its process was killed, at the price of its lane", async () => {
  const database = await freshDatabase();
  // The embedded database ends with its process.
  if (database.embedded) return database.close();
  const standIn = await startStandIn();
  const env = { GW_HOLD_LEASE_SECONDS: "3" };
  const first = await startChatGateway({ database, standIn, env });
  const response = await first.chat({ stream: true, max_tokens: 400, user: "tokens=400;pace=60" });
  const reader = response.body!.getReader();
  void (async () => {
    while (!(await reader.read()).done);
  })().catch(() => undefined);
  const callId = response.headers.get("x-request-id")!;
  const read = (gateway: typeof first) =>
    gateway.sql("SELECT state, ckpt_in, ckpt_out, ckpt_price, price_version FROM hold WHERE id = $1", [callId]);
  const [seen] = await eventually(
    () => read(first),
    ([hold]) => hold.ckpt_out > 0,
    25_000,
  );
  expect(seen).toMatchObject({ state: "dispatched", ckpt_price: seen.price_version });
  expect(seen.ckpt_in).toBeGreaterThan(0);
  await first.kill("SIGKILL");
  const second = await startChatGateway({ database, standIn, env, dataDir: first.dataDir, adminKey: first.adminKey });
  const [left] = await eventually(
    () => read(second),
    ([hold]) => hold.state === "review",
    15_000,
  );
  expect(left.state).toBe("review");
  // The checkpoint never exceeds the supplier's work.
  const [billed] = (await standIn.bill()).filter(({ id }) => id === callId);
  const maximum = BigInt(billed!.promptTokens + 20) * INPUT_PRICE + BigInt(billed!.completionTokens) * OUTPUT_PRICE;
  expect(BigInt(left.ckpt_in) * INPUT_PRICE + BigInt(left.ckpt_out) * OUTPUT_PRICE).toBeLessThanOrEqual(maximum);
  await expectCleanBooks(second);
  await second.close();
  await first.close();
  await standIn.close();
  await database.close();
});
