import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type AutoTopupBench, asked, openAutoTopups } from "../../../../tests/support/auto-topup";
import { decideAutoTopupPolicy, readAutoTopup, readAutoTopupPolicy, saveAutoTopup } from "../index.server";

const USD = 1_000_000_000n;
let bench: AutoTopupBench;
beforeAll(async () => {
  bench = await openAutoTopups();
}, 120_000);
afterAll(() => bench?.close());
beforeEach(() => bench.begin());

describe("settings", () => {
  const refused = (change: Parameters<typeof asked>[0], error: object) => async () => {
    const admin = await bench.anAdmin();
    await bench.aCard(admin);
    await expect(saveAutoTopup(db(), admin, asked(change))).rejects.toMatchObject(error);
  };

  test(
    "are refused with a consent to another sentence",
    refused({ consent: { version: "2020-01-01", language: "en" } }, { code: "conflict", param: "consent" }),
  );
  test("are refused after another change", refused({ version: 3 }, { code: "conflict" }));
  test.each([
    ["amount", { amountNanoUsd: 100n * USD }],
    ["amount", { amountNanoUsd: 1n * USD }],
    ["threshold", { thresholdNanoUsd: 0n }],
    ["daily_limit", { dayLimitNanoUsd: 20n * USD }],
    ["daily_limit", { dayLimitNanoUsd: 501n * USD, monthLimitNanoUsd: 600n * USD }],
    ["monthly_limit", { monthLimitNanoUsd: 99n * USD }],
    ["monthly_limit", { monthLimitNanoUsd: 901n * USD }],
  ])("have bounds: %s", async (param, change) => {
    await refused(change, { code: "invalid_request", param })();
  });

  test("need an approved policy, a card, and somebody who may fund the wallet; of several at once one counts", async () => {
    const admin = await bench.anAdmin();
    await expect(saveAutoTopup(db(), admin, asked())).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("card"),
    });
    await bench.aCard(admin);
    await bench.approve(false);
    await expect(saveAutoTopup(db(), admin, asked())).rejects.toMatchObject({ code: "conflict" });
    await bench.approve();
    const member = await bench.anAdmin("member");
    await expect(saveAutoTopup(db(), member, asked())).rejects.toMatchObject({ code: "forbidden" });
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => saveAutoTopup(db(), admin, asked())));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readAutoTopup(db(), member)).toBeNull();
  });

  test("and policies cannot be changed afterwards, and a policy is for those who run the installation", async () => {
    await bench.aPayer();
    await expect(bench.sql("UPDATE auto_topup_setting SET threshold = 1")).rejects.toThrow("append-only");
    await expect(bench.sql("UPDATE auto_topup_policy SET approved = false")).rejects.toThrow("append-only");
    const admin = await bench.anAdmin();
    const { version = 0 } = (await readAutoTopupPolicy(db())) ?? {};
    const bounds = { approved: true, maxChargeNanoUsd: USD, maxDayNanoUsd: USD, maxMonthNanoUsd: USD };
    await expect(decideAutoTopupPolicy(db(), admin, { version, ...bounds })).rejects.toMatchObject({
      code: "forbidden",
    });
    const owner = await bench.anAdmin("owner");
    await expect(decideAutoTopupPolicy(db(), owner, { version: version - 1, ...bounds })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});
