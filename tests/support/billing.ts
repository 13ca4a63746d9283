import { readConfig, setConfig } from "~/config.server";
import { db, sqlPool } from "~/connection/db.server";
import { openWallet } from "~/domain/accounting/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { applyEvent, receiveEvent, startCheckout } from "~/domain/billing/index.server";
import { setLogLevel } from "~/observe/log.server";
import { openFreshDatabase } from "./database";
import { StandInProcessor } from "./stand-in-processor";
import type { Thing } from "./stand-in-processor/state";

/** The billing room on its own database, with a local payment processor. */
export type BillingBench = Awaited<ReturnType<typeof openBilling>>;

export async function openBilling(settings: Record<string, string> = {}) {
  setLogLevel("silent");
  const database = await openFreshDatabase();
  const processor = new StandInProcessor();
  const processorSettings = processor.environment(await processor.start());
  setConfig(readConfig({ ...processorSettings, ...settings }));
  const sql = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await sqlPool().query(text, values)).rows as Row[];
  let count = 0;

  /** Creates an organisation with an admin who may fund it. */
  async function anAdmin(role: Actor["role"] = "org_admin"): Promise<Actor & { walletId: number }> {
    count += 1;
    const mine = count;
    const organisation = await db().organisation.create({ data: { name: `Payers ${mine}`, slug: `payers-${mine}` } });
    const walletId = await openWallet(db(), {
      kind: "organisation",
      id: organisation.id,
      organisationId: organisation.id,
    });
    const user = await db().user.create({
      data: { email: `payer-${mine}@example.com`, name: "Payer", organisationId: organisation.id, role },
    });
    return {
      userId: user.id,
      sessionId: 1,
      email: user.email,
      name: user.name,
      role,
      organisationId: organisation.id,
      departmentId: null,
      adminMode: true,
      adminOrganisationId: null,
      language: "en",
      address: "127.0.0.1",
      walletId,
    };
  }

  /** Starts a checkout and returns its session at the processor. */
  async function aCheckout(actor: Actor, usd: bigint, idempotencyKey: string | null = null) {
    const asked = { amountNanoUsd: usd * 1_000_000_000n, idempotencyKey, origin: "http://gw.example" };
    const { id, url } = await startCheckout(db(), actor, asked);
    return { id, url, sessionId: url.split("/").at(-1) as string };
  }

  /** Delivers an event as an HTTP request would, and applies it. */
  async function deliver(event: Thing): Promise<void> {
    const { payload, signature } = processor.signed(event);
    const { id } = await receiveEvent(db(), new TextEncoder().encode(payload), signature);
    await applyEvent(db(), id);
  }

  return {
    processor,
    /** gw's settings for the processor. */
    settings: processorSettings,
    sql,
    anAdmin,
    aCheckout,
    deliver,
    /** Returns the balance and the debt of a wallet's payer in nano-USD. */
    async standing(walletId: number): Promise<{ wallet: bigint; owed: bigint }> {
      const [row] = await sql<{ wallet: bigint; owed: bigint }>(
        `SELECT w.posted AS wallet, coalesce(-r.posted, 0)::bigint AS owed FROM ledger_account w
           LEFT JOIN ledger_account r ON r.kind = 'receivable' AND r.payer_kind = w.payer_kind AND r.payer_id = w.payer_id WHERE w.id = $1`,
        [walletId],
      );
      return row!;
    },
    defects: async () => (await sql("SELECT * FROM ledger_audit")).length,
    async close() {
      await processor.close();
      await database.close();
      setConfig(readConfig({}));
    },
  };
}
