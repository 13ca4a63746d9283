import type { Db } from "~/connection/db.server";
import { askProcessor } from "../processor";
import { applyIntent } from "./apply-intent";
import { type IntentFacts, intentFacts } from "./intent-facts";
import { findOperation, type OperationRow } from "./operation-store";

const PAGE = 100;
const MAX_PAGES = 10;
const HOUR_SECONDS = 3_600;

/**
 * Returns the work for an event about a payment intent; null when the intent belongs to no charge. The intent is
 * retrieved from the processor, because the event may be older.
 */
export async function prepareIntent(
  db: Db,
  { intentId, reference }: { intentId: string; reference: string | null },
): Promise<((tx: Db) => Promise<boolean>) | null> {
  const operation = reference === null ? null : await findOperation(db, reference);
  // A charge that its owner must confirm has a different intent, from the page where they confirm it.
  if (operation === null || (operation.intentId !== null && operation.intentId !== intentId)) return null;
  if (operation.state === "requires_action") return null;
  const facts = await retrieveIntent(intentId);
  return (tx) => applyIntent(tx, facts);
}

/**
 * Returns the payment intent of a charge whose answer is missing; null if the processor has none. It is looked up,
 * never created.
 */
export async function findIntent(operation: OperationRow): Promise<IntentFacts | null> {
  if (operation.intentId !== null) return retrieveIntent(operation.intentId);
  const { customerId: customer, submittedAt, id } = operation;
  const since = Math.floor((submittedAt?.getTime() ?? 0) / 1_000) - HOUR_SECONDS;
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const matches = await askProcessor((stripe) =>
      stripe.paymentIntents.list({
        customer,
        created: { gte: since },
        limit: PAGE,
        ...(after && { starting_after: after }),
      }),
    );
    const ownIntent = matches.data.map(intentFacts).find(({ reference }) => reference === id);
    if (ownIntent !== undefined) return retrieveIntent(ownIntent.id);
    after = matches.data.at(-1)?.id;
    if (!matches.has_more || after === undefined) return null;
  }
  throw new Error(`more than ${MAX_PAGES * PAGE} payment intents since an auto top-up was submitted`);
}

async function retrieveIntent(intentId: string): Promise<IntentFacts> {
  return intentFacts(
    await askProcessor((stripe) => stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] })),
  );
}
