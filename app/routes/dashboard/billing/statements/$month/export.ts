import { z } from "zod";
import { languageOf } from "~/access/language.server";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readStatement } from "~/domain/statements/index.server";
import type { Statement, UsageLine } from "~/domain/statements/shared";
import { csvResponse } from "~/http/body/csv";
import { i18nFor } from "~/i18n/server.server";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { entryKindText } from "../../entry-text";

/** For programs, except for `text`, which is in the reader's language. */
const HEADER = ["section", "name", "count", "amount_usd", "text"];

const statement = portalEndpoint({
  params: z.object({ month: z.string().max(20) }),
  allow: "viewer",
  GET: async ({ actor, params, context }) => {
    const read = await readStatement(db(), actor, params.month);
    return csvResponse(`statement-${read.month}.csv`, HEADER, linesOf(read, wordsOf(languageOf(context))));
  },
});

const wordsOf = (language: ReturnType<typeof languageOf>) => ({
  t: i18nFor(language).getFixedT(language, "statements"),
  billing: i18nFor(language).getFixedT(language, "billing"),
});

async function* linesOf(
  statement: Statement,
  { t, billing }: ReturnType<typeof wordsOf>,
): AsyncGenerator<CsvCell[][], void, undefined> {
  const { openingNanoUsd, closingNanoUsd, movements, payments, byModel, byKey, byDay } = statement;
  const equal = (isEqual: boolean) => t(isEqual ? "equal" : "differs");
  const usage = (section: string, title: string) => (line: UsageLine) => [
    ...[section, line.name, line.requests, formatUsd(line.chargedNanoUsd)],
    `${title}: ${line.name}`,
  ];
  yield [
    ["balance", "opening", null, formatUsd(openingNanoUsd), t("opening")],
    ...movements.map(({ kind, count, amountNanoUsd }) => [
      ...["movement", kind, count, formatUsd(amountNanoUsd)],
      entryKindText(billing, kind),
    ]),
    ["balance", "closing", null, formatUsd(closingNanoUsd), t("closing")],
    ...payments.flatMap(({ id, creditNanoUsd, feeNanoUsd, chargedNanoUsd }) => [
      ["payment_credit", id, null, formatUsd(creditNanoUsd), billing("payments.credit")],
      ["payment_fee", id, null, formatUsd(feeNanoUsd), billing("payments.fee")],
      ["payment_charged", id, null, formatUsd(chargedNanoUsd), billing("payments.charged")],
    ]),
    ...byModel.map(usage("model", t("byModel"))),
    ...byKey.map(usage("key", t("byKey"))),
    ...byDay.map(usage("day", t("byDay"))),
    ["compared", "ledger_equal", null, statement.isLedgerEqual, equal(statement.isLedgerEqual)],
    ["compared", "usage_equal", null, statement.isUsageEqual, equal(statement.isUsageEqual)],
    ["compared", "at", null, statement.checkedAt, t("compared")],
  ];
}

export const loader = statement;
export const action = statement;
