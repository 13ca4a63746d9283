import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aHold, aSettlement, type Books, fundedWallet, openBooks } from "../../../../tests/support/accounting";
import { ReferenceModel } from "../__fixtures__/reference-model";
import { BUDGET_SCOPES, type HoldRequest } from "../shared";

// Five scopes with random limits at once. RUNS=… sets the number of runs, SEED=… repeats a run.
const RUNS = Number(process.env.RUNS ?? 10);
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED);
const CALLS = 200;

let books: Books;
let base = 10_000;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const TURNS = [
  { turns: "turns that do everything", leanFromItems: Number.POSITIVE_INFINITY },
  { turns: "turns that leave the ledger for later", leanFromItems: 0 },
];

describe.each(TURNS)("with $turns", ({ leanFromItems }) => {
  test("whatever the limits: every scope is held or none, none is overspent, and the right one refuses", async () => {
    const accounting = await books.start({ patienceMs: 0, leanFromItems });
    const limits = fc.record({
      key: fc.option(fc.nat(2_000)),
      user: fc.option(fc.nat(2_000)),
      department: fc.option(fc.nat(3_000)),
      project: fc.option(fc.nat(3_000)),
      organisation: fc.option(fc.nat(4_000)),
      wallet: fc.nat(6_000),
    });
    const calls = fc.array(
      fc.tuple(fc.nat(3), fc.nat(2), fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 130 })),
      { minLength: CALLS, maxLength: CALLS },
    );
    await fc.assert(
      fc.asyncProperty(limits, calls, async (limit, drawn) => {
        base += 10;
        const model = new ReferenceModel();
        const walletId = await fundedWallet(books, BigInt(limit.wallet), { organisationId: base });
        model.openWallet(walletId);
        model.wallet(walletId).post("promo_expense", BigInt(limit.wallet));
        for (const scope of BUDGET_SCOPES) {
          for (let part = 0; part < (scope === "organisation" ? 1 : 4); part += 1) {
            const most = limit[scope] === null ? null : BigInt(limit[scope]);
            model.setBudget(scope, base + part, most, "monthly", Date.now());
            await books.sql("SELECT budget_set($1, $2, $3, $4, 'monthly')", [base, scope, base + part, most]);
          }
        }
        const requests = drawn.map(
          ([key, user, amount]): HoldRequest =>
            aHold(
              {
                keyId: base + key,
                userId: base + user,
                departmentId: base,
                projectId: base + (key % 2),
                organisationId: base,
                walletId,
                exempt: false,
              },
              BigInt(amount),
            ),
        );
        for (let from = 0; from < CALLS; from += 25) {
          const batch = requests.slice(from, from + 25);
          const expected = model.admit(batch, Date.now(), 60_000);
          const verdicts = await Promise.all(batch.map((request) => accounting.admit(request)));
          verdicts.forEach((verdict, index) => {
            const want = expected[index]!;
            expect(verdict.kind === "refused" ? verdict.scope : "held").toBe(
              want.kind === "held" ? "held" : want.scope,
            );
          });
          const held = batch.flatMap((request, index) =>
            verdicts[index]!.kind === "held" ? [{ request, share: drawn[from + index]![3] }] : [],
          );
          await Promise.all(
            held.map(async ({ request, share }) => {
              const settlement = aSettlement(request, (request.amountNanoUsd * BigInt(share)) / 100n);
              model.settle(settlement, Date.now());
              await accounting.settle(settlement);
            }),
          );
        }
        const over = await books.sql(
          "SELECT b.scope_kind FROM budget b JOIN budget_counter c ON c.budget_id = b.id WHERE c.spent > b.limit_amt OR c.held <> 0",
        );
        expect(over).toEqual([]);
        // Waits for the ledger however late it is, unlike `settledCallsPosted`.
        await accounting.recoverSettlements();
        const [wallet] = await books.sql("SELECT posted, held FROM ledger_account WHERE id = $1", [walletId]);
        expect(wallet).toEqual({ posted: model.wallets.get(walletId)!.posted, held: 0n });
        expect(await books.defects()).toEqual([]);
      }),
      // No shrinking: the open holds of a failed run would make every later run fail.
      { numRuns: RUNS, endOnFailure: true, ...(SEED === undefined ? {} : { seed: SEED }) },
    );
  }, 600_000);
});
