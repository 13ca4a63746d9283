import { db } from "~/connection/db.server";
import { postAdjustment } from "~/domain/accounting/index.server";
import type { Actor } from "~/domain/accounts/shared";
import type { Telling } from "~/domain/billing/auto-topup/operation-store";
import {
  decideAutoTopupPolicy,
  readAutoTopup,
  readAutoTopupPolicy,
  runAutoTopups,
  saveAutoTopup,
  startCardSetup,
} from "~/domain/billing/index.server";
import { AUTO_TOPUP_CONSENT_VERSION } from "~/domain/billing/shared";
import { openBilling } from "./billing";
import type { Thing } from "./stand-in-processor/state";

const USD = 1_000_000_000n;
export type Payer = Actor & { walletId: number };
type Asked = Partial<Parameters<typeof saveAutoTopup>[2]>;
type Wanted = { balance?: bigint; answer?: string | null } & Asked;
type Bounds = Partial<Record<"maxChargeNanoUsd" | "maxDayNanoUsd" | "maxMonthNanoUsd", bigint>>;

/** Settings that the policy of `approve` allows everyone to save. */
export const asked = (change: Asked = {}) => ({
  version: 0,
  thresholdNanoUsd: 5n * USD,
  amountNanoUsd: 20n * USD,
  dayLimitNanoUsd: 100n * USD,
  monthLimitNanoUsd: 200n * USD,
  consent: { version: AUTO_TOPUP_CONSENT_VERSION, language: "de" },
  ...change,
});

/** The billing room with payers whose cards are charged automatically. */
export type AutoTopupBench = Awaited<ReturnType<typeof openAutoTopups>>;

export async function openAutoTopups() {
  const bench = await openBilling({ GW_FUNDING_FEE_FIXED: "0.30" });
  const told: Telling[] = [];
  let adjustments = 0;

  const run = () =>
    runAutoTopups(db(), async (_, telling) => {
      told.push(telling);
    });

  async function approve(approved = true, more: Bounds = {}): Promise<number> {
    const owner = await bench.anAdmin("owner");
    const { version = 0 } = (await readAutoTopupPolicy(db())) ?? {};
    const bounds = { maxChargeNanoUsd: 100n * USD, maxDayNanoUsd: 500n * USD, maxMonthNanoUsd: 900n * USD, ...more };
    return decideAutoTopupPolicy(db(), owner, { version, approved, ...bounds });
  }

  /** Resets what earlier tests left, and approves auto top-up again. */
  async function begin(): Promise<void> {
    told.length = 0;
    await bench.sql("UPDATE auto_topup SET active = false");
    await bench.sql("UPDATE auto_topup_operation SET next_look_at = NULL, tell = NULL");
    await bench.sql("UPDATE auto_topup_pause SET owner_told_at = now(), operators_told_at = now()");
    await approve();
  }

  async function aCard(actor: Actor, answer: string | null = null): Promise<string> {
    const { url } = await startCardSetup(db(), actor, { idempotencyKey: null, origin: "http://gw.example" });
    const event = bench.processor.state.saveCard(url.split("/").at(-1) as string);
    await bench.deliver(event);
    const id = bench.processor.state.things.get((event.data.object as Thing).setup_intent)?.payment_method as string;
    bench.processor.state.behave(id, answer);
    return id;
  }

  function adjust(walletId: number, amountNanoUsd: bigint): Promise<bigint> {
    adjustments += 1;
    const idempotencyKey = `adjusted-${adjustments}`;
    return postAdjustment(db(), { walletId, amountNanoUsd, idempotencyKey, actor: "test", memo: "test" });
  }

  /** Creates a payer with a balance, a card and auto top-up. */
  async function aPayer({ balance = 1n, answer = null, ...change }: Wanted = {}): Promise<Payer & { card: string }> {
    const admin = await bench.anAdmin();
    const card = await aCard(admin, answer);
    await saveAutoTopup(db(), admin, asked(change));
    if (balance > 0n) await adjust(admin.walletId, balance * USD);
    return { ...admin, card };
  }

  /** Returns the number of charges of a wallet's card at the processor. */
  async function charges({ walletId }: Payer): Promise<number> {
    const rows = await bench.sql<{ id: string }>("SELECT id FROM auto_topup_operation WHERE wallet_id = $1", [
      walletId,
    ]);
    const ids = new Set(rows.map(({ id }) => id));
    const things = [...bench.processor.state.things.values()];
    return things.filter(({ object, metadata }) => object === "payment_intent" && ids.has(metadata.gw_reference))
      .length;
  }

  return {
    ...bench,
    told,
    run,
    begin,
    approve,
    aCard,
    aPayer,
    adjust,
    charges,
    posted: async ({ walletId }: Payer) => (await bench.standing(walletId)).wallet,
    lastOf: async (payer: Payer) => (await readAutoTopup(db(), payer))?.lastOperation,
    /** Ends all pauses of a wallet. */
    passPauses: ({ walletId }: Payer) =>
      bench.sql(
        `UPDATE auto_topup SET next_check_at = now(), next_attempt_at = next_attempt_at - interval '80 hours',
                last_attempt_at = last_attempt_at - interval '80 hours' WHERE wallet_id = $1`,
        [walletId],
      ),
    lookSoon: () => bench.sql("UPDATE auto_topup_operation SET next_look_at = now() WHERE next_look_at IS NOT NULL"),
  };
}
