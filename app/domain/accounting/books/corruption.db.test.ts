import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  putBudget,
  someParties,
} from "../../../../tests/support/accounting";

// The auditor finds corruption by manual changes in the database. Triggers and foreign keys are off for these changes.
let books: Books;

beforeAll(async () => {
  books = await openBooks();
  const accounting = await books.start({ patienceMs: 0 });
  const who = someParties(await fundedWallet(books, 100_000n), { userId: 1 });
  const exempt = someParties(await fundedWallet(books, 0n, { organisationId: 2, exempt: true }), {
    organisationId: 2,
    keyId: 2,
    exempt: true,
  });
  await putBudget(books, "key", 1, 50_000n);
  await putBudget(books, "user", 1, null, "rolling");
  for (let round = 0; round < 3; round += 1) {
    const calls = [aHold(who, 100n, { rateLimitRpm: 100 }), aHold(who, 100n), aHold(who, 100n)];
    await Promise.all(calls.map((call) => accounting.admit(call)));
    await accounting.settle(aSettlement(calls[0]!, 60n));
    await accounting.settle(aSettlement(calls[1]!, 60n, { outcome: "not_executed" }));
    await accounting.settle(aSettlement({ ...exempt, callId: randomUUID() }, 70n, { held: false }));
  }
  await accounting.stop();
});
afterAll(() => books.close());

const SETTLED = "(SELECT id FROM hold WHERE state = 'settled' LIMIT 1)";
const OPEN = "(SELECT id FROM hold WHERE state = 'dispatched' LIMIT 1)";
const USAGE_TXN = "(SELECT txn_id FROM usage_event WHERE held AND txn_id IS NOT NULL LIMIT 1)";
const WALLET = "(SELECT min(id) FROM ledger_account WHERE kind = 'wallet')";
const EXEMPT_CALL = "(SELECT request_id FROM usage_event WHERE NOT held LIMIT 1)";
const OWES =
  "INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id, posted) VALUES ('receivable', 'organisation', 1, 1, -5)";
/** Marks today as complete and added up. */
const TODAY_IS_COMPLETE =
  "UPDATE usage_days SET closed_before = date_trunc('day', now(), 'UTC') + interval '1 day', complete_before = date_trunc('day', now(), 'UTC') + interval '1 day'";
const COPY =
  "organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, held, endpoint, requested_model, model, supplier, region, stream, session_id, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, token_source, outcome, cost, charged, price_version, txn_id, status, error_code, attempts, started_at, first_byte_ms, latency_ms, settled_at";

test.each([
  ["an edited balance", `UPDATE ledger_account SET posted = posted + 1 WHERE id = ${WALLET}`, "posted_drift"],
  ["an edited sequence", `UPDATE ledger_account SET last_seq = last_seq + 1 WHERE id = ${WALLET}`, "sequence_gap"],
  ["a missing leg", `DELETE FROM ledger_entry WHERE txn_id = ${USAGE_TXN} AND amount > 0`, "unbalanced"],
  [
    "an edited leg",
    `UPDATE ledger_entry SET amount = amount - 5 WHERE txn_id = ${USAGE_TXN} AND amount < 0`,
    "posted_drift",
  ],
  ["two legs edited alike", `UPDATE ledger_entry SET amount = amount * 2 WHERE txn_id = ${USAGE_TXN}`, "usage_sum"],
  [
    "an edited running balance",
    `UPDATE ledger_entry SET balance_after = balance_after + 1 WHERE account_seq = 1 AND account_id = ${WALLET}`,
    "running_balance",
  ],
  ["a missing transaction", `DELETE FROM ledger_txn WHERE id = ${USAGE_TXN}`, "orphan_entry"],
  [
    "a transaction without legs",
    "INSERT INTO ledger_txn (kind, idem_key, actor) VALUES ('topup', 'x', 'x')",
    "unbalanced",
  ],
  [
    "a leg of no account",
    `UPDATE ledger_entry SET account_id = 999999 WHERE txn_id = ${USAGE_TXN} AND amount < 0`,
    "orphan_entry",
  ],
  ["a transaction renamed to usage", "UPDATE ledger_txn SET kind = 'usage' WHERE kind = 'promo_grant'", "usage_sum"],
  [
    "a duplicate usage row",
    `INSERT INTO usage_event (request_id, ${COPY}) SELECT gen_random_uuid(), ${COPY} FROM usage_event WHERE txn_id = ${USAGE_TXN}`,
    "usage_sum",
  ],
  ["a missing usage row", "DELETE FROM usage_event WHERE held AND charged > 0", "settled_without_usage"],
  [
    "an edited charge",
    `UPDATE usage_event SET charged = charged - 1 WHERE request_id = ${SETTLED}`,
    "usage_against_hold",
  ],
  ["an edited exempt charge", `UPDATE usage_event SET charged = 1 WHERE request_id = ${EXEMPT_CALL}`, "usage_sum"],
  [
    "usage moved to another wallet",
    `UPDATE usage_event SET wallet_id = (SELECT max(id) FROM ledger_account WHERE kind = 'wallet') WHERE request_id = ${SETTLED}`,
    "usage_wallet",
  ],
  [
    "usage of an unheld payer who pays",
    `UPDATE usage_event SET exempt = false WHERE request_id = ${EXEMPT_CALL}`,
    "usage_against_hold",
  ],
  ["a hold that vanished", `DELETE FROM hold WHERE id = ${SETTLED}`, "usage_against_hold"],
  ["an open hold that vanished", `DELETE FROM hold WHERE id = ${OPEN}`, "wallet_held_drift"],
  ["a hold of no wallet", `UPDATE hold SET wallet_id = 999999 WHERE id = ${OPEN}`, "orphan_hold"],
  [
    "a hold released by hand",
    `UPDATE hold SET state = 'released', resolved_at = now() WHERE id = ${OPEN}`,
    "budget_held_drift",
  ],
  [
    "a hold settled by hand",
    `UPDATE hold SET state = 'settled', resolved_at = now() WHERE id = ${OPEN}`,
    "settled_without_usage",
  ],
  [
    "a settled hold reopened",
    `UPDATE hold SET state = 'dispatched', resolved_at = NULL, captured = 0 WHERE id = ${SETTLED}`,
    "usage_against_hold",
  ],
  ["a larger hold", `UPDATE hold SET amount = amount + 1 WHERE id = ${OPEN}`, "wallet_held_drift"],
  ["a wallet that holds less", `UPDATE ledger_account SET held = held - 1 WHERE id = ${WALLET}`, "wallet_held_drift"],
  ["a counter that spent less", "UPDATE budget_counter SET spent = spent - 1 WHERE spent > 0", "budget_spent_drift"],
  ["a counter that holds more", "UPDATE budget_counter SET held = held + 1", "budget_held_drift"],
  ["a missing counter", "DELETE FROM budget_counter WHERE spent > 0", "orphan_leg"],
  [
    "a missing leg of a budget",
    `UPDATE hold SET leg_budgets = '{}', leg_starts = '{}' WHERE id = ${SETTLED}`,
    "budget_spent_drift",
  ],
  [
    "a leg of no call",
    "INSERT INTO budget_leg SELECT gen_random_uuid(), budget_id, period_start FROM budget_counter LIMIT 1",
    "orphan_leg",
  ],
  ["a rate window that forgot", "UPDATE rate_window SET used = used - 1 WHERE used > 0", "rate_drift"],
  ["a missing stamp", "DELETE FROM rate_stamp", "rate_drift"],
  ["an edited sum of an hour", "UPDATE usage_hour SET charged = charged + 1", "usage_hour_drift"],
  ["a missing hour", "DELETE FROM usage_hour", "usage_hour_drift"],
  ["an hour of no call", "UPDATE usage_hour SET key_id = 99", "usage_hour_drift"],
  ["a day that was not added up", TODAY_IS_COMPLETE, "usage_day_drift"],
  [
    "an edited sum of a day",
    `${TODAY_IS_COMPLETE}; SELECT usage_add_up_day(date_trunc('day', now(), 'UTC'), NULL); UPDATE usage_day SET charged = charged + 1`,
    "usage_day_drift",
  ],
  [
    "an edited sum of a model's day",
    `${TODAY_IS_COMPLETE}; SELECT usage_add_up_day(date_trunc('day', now(), 'UTC'), NULL); UPDATE usage_model_day SET charged = charged + 1`,
    "usage_day_drift",
  ],
  [
    "a wallet below its floor",
    `UPDATE ledger_account SET credit_floor = 0, posted = -1 WHERE id = ${WALLET}`,
    "wallet_overdrawn",
  ],
  ["a payer that owes and has money", OWES, "wallet_owes_and_spends"],
  [
    "a payer that owes and has credit",
    `${OWES}; UPDATE ledger_account SET posted = -5, held = 0, credit_limit = 6, credit_floor = 6 WHERE id = ${WALLET}`,
    "wallet_owes_and_spends",
  ],
])("the auditor finds %s", async (_, corruption, defect) => {
  expect(await books.defects()).toEqual([]);
  await books.sql("BEGIN");
  try {
    await books.sql("SET LOCAL session_replication_role = replica");
    // Check constraints cannot be disabled for a session, so this transaction drops those that prevent the corruption.
    for (const [table, check] of CHECKS) await books.sql(`ALTER TABLE ${table} DROP CONSTRAINT ${check}`);
    await books.sql(corruption);
    const kinds = (await books.defects()).map((line) => line.split(" ")[0]);
    expect(kinds).toContain(defect);
  } finally {
    await books.sql("ROLLBACK");
  }
});

const CHECKS = [
  ["ledger_account", "wallet_never_overdrawn"],
  ["usage_event", "charged_iff_posted"],
] as const;

test.each([
  ["an entry is changed", "UPDATE ledger_entry SET amount = 1"],
  ["an entry is deleted", "DELETE FROM ledger_entry"],
  ["the ledger is emptied", "TRUNCATE ledger_entry CASCADE"],
  ["a transaction is changed", "UPDATE ledger_txn SET actor = 'x'"],
  ["transactions are emptied", "TRUNCATE ledger_txn CASCADE"],
  ["a balance is written directly", "UPDATE ledger_account SET posted = posted + 1"],
  ["an account is deleted", "DELETE FROM ledger_account"],
  [
    "an account opens with money",
    "INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id, posted) VALUES ('wallet', 'user', 9, 9, 5)",
  ],
  [
    "a transaction has one leg",
    `WITH t AS (INSERT INTO ledger_txn (kind, idem_key, actor) VALUES ('topup', 'y', 'x') RETURNING id) INSERT INTO ledger_entry (txn_id, account_id, amount, account_seq, balance_after) SELECT id, ${WALLET}, 5, 0, 0 FROM t`,
  ],
  [
    "a leg is appended to an old transaction",
    `INSERT INTO ledger_entry (txn_id, account_id, amount, account_seq, balance_after) SELECT ${USAGE_TXN}, max(id), 5, 0, 0 FROM ledger_account`,
  ],
  ["a hold is deleted", "DELETE FROM hold"],
  ["a hold shrinks", `UPDATE hold SET amount = amount - 1 WHERE id = ${OPEN}`],
  ["a final hold moves", `UPDATE hold SET state = 'dispatched' WHERE id = ${SETTLED}`],
  ["a hold skips a state", `UPDATE hold SET state = 'reserved' WHERE id = ${OPEN}`],
  [
    "more is captured than held",
    `UPDATE hold SET state = 'settled', captured = amount + 1, resolved_at = now() WHERE id = ${OPEN}`,
  ],
  ["a wallet goes below its floor", `UPDATE ledger_account SET held = 999999999 WHERE id = ${WALLET}`],
  ["held money goes below zero", `UPDATE ledger_account SET held = -1 WHERE id = ${WALLET}`],
  ["a counter goes below zero", "UPDATE budget_counter SET held = -1"],
  ["usage is recharged", "UPDATE usage_event SET charged = 0, txn_id = NULL"],
  ["usage is deleted", "DELETE FROM usage_event"],
  ["a leg changes its period", `UPDATE hold SET leg_starts = array_fill(now(), ARRAY[1]) WHERE id = ${OPEN}`],
  [
    "a second wallet is opened for a payer",
    "INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id) VALUES ('wallet', 'organisation', 1, 1)",
  ],
])("the database refuses when %s", async (_, statement) => {
  await expect(books.sql(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
});
