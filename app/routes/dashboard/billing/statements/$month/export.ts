import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import type { CsvCell } from "~/csv";
import { db } from "~/db.server";
import { readStatement } from "~/domain/statements/index.server";
import type { Statement } from "~/domain/statements/shared";
import { csvResponse } from "~/http/csv";
import { formatUsd } from "~/money";

const HEADER = ["section", "name", "count", "amount_usd"];

const statement = portalEndpoint({
  params: z.object({ month: z.string().max(20) }),
  allow: "viewer",
  GET: async ({ actor, params }) => {
    const read = await readStatement(db(), actor, params.month);
    return csvResponse(`statement-${read.month}.csv`, HEADER, linesOf(read));
  },
});

async function* linesOf(statement: Statement): AsyncGenerator<CsvCell[][], void, undefined> {
  const { openingNanoUsd, closingNanoUsd, movements, payments, byModel, byKey, byDay } = statement;
  yield [
    ["balance", "opening", null, formatUsd(openingNanoUsd)],
    ...movements.map(({ kind, count, amountNanoUsd }) => ["movement", kind, count, formatUsd(amountNanoUsd)]),
    ["balance", "closing", null, formatUsd(closingNanoUsd)],
    ...payments.flatMap(({ id, creditNanoUsd, feeNanoUsd, chargedNanoUsd }) => [
      ["payment_credit", id, null, formatUsd(creditNanoUsd)],
      ["payment_fee", id, null, formatUsd(feeNanoUsd)],
      ["payment_charged", id, null, formatUsd(chargedNanoUsd)],
    ]),
    ...byModel.map(({ name, requests, chargedNanoUsd }) => ["model", name, requests, formatUsd(chargedNanoUsd)]),
    ...byKey.map(({ name, requests, chargedNanoUsd }) => ["key", name, requests, formatUsd(chargedNanoUsd)]),
    ...byDay.map(({ name, requests, chargedNanoUsd }) => ["day", name, requests, formatUsd(chargedNanoUsd)]),
    ["compared", "ledger_equal", null, statement.isLedgerEqual],
    ["compared", "usage_equal", null, statement.isUsageEqual],
    ["compared", "at", null, statement.checkedAt],
  ];
}

export const loader = statement;
export const action = statement;
