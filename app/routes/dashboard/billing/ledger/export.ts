import { z } from "zod";
import { languageOf } from "~/access/language.server";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import type { LedgerLine } from "~/domain/accounting/shared";
import { exportLedger } from "~/domain/billing/index.server";
import { csvResponse } from "~/http/body/csv";
import { i18nFor } from "~/i18n/server.server";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { entryKindText, entryNoteText } from "../entry-text";
import { LEDGER_FILTERS } from "../ledger-filters";
import { ledgerFilterOf } from "../ledger-query.server";

const HEADER = [
  ...["seq", "time", "kind", "entry", "note", "actor"],
  ...["amount_usd", "balance_after_usd", "payment_id", "request_id"],
];

type Text = Parameters<typeof entryKindText>[0];

const ledger = portalEndpoint({
  allow: "viewer",
  query: z.object(LEDGER_FILTERS.query),
  GET: ({ actor, query, context }) => {
    const language = languageOf(context);
    const t = remembered(i18nFor(language).getFixedT(language, "billing"));
    return csvResponse("ledger.csv", HEADER, pagesOf(exportLedger(db(), actor, ledgerFilterOf(query)), t));
  },
});

/** Looks up each text once per file: a million lookups would create garbage that stays on the heap for long. */
function remembered(t: Text): Text {
  const texts = new Map<string, string>();
  const lookUp = (key: string): string => {
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = t(key as never) as string;
    texts.set(key, text);
    return text;
  };
  return lookUp as unknown as Text;
}

async function* pagesOf(pages: AsyncIterable<LedgerLine[]>, t: Text): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const page of pages) yield page.map((line) => cellsOf(line, t));
}

const cellsOf = (line: LedgerLine, t: Text): CsvCell[] => [
  ...[String(line.seq), line.at, line.kind, entryKindText(t, line.kind), entryNoteText(t, line), line.actor],
  ...[formatUsd(line.amountNanoUsd), formatUsd(line.balanceAfterNanoUsd), line.paymentId, line.requestId],
];

export const loader = ledger;
export const action = ledger;
