import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import type { LedgerLine } from "~/domain/accounting/shared";
import { LinkButton } from "~/ui/Button";
import { useFilters } from "~/ui/lists/filters";
import { addressWith, usePages } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import { Section } from "~/ui/page-parts";
import { LedgerTable } from "./LedgerTable";
import { LEDGER_FILTERS } from "./ledger-filters";

const ANCHOR = "ledger";

/** The ledger of a wallet with filters, pages, and a file of the filtered lines. */
export function LedgerSection({ lines, nextBefore }: { lines: readonly LedgerLine[]; nextBefore: bigint | null }) {
  const { t } = useTranslation("billing");
  const [query] = useSearchParams();
  const filters = useFilters(LEDGER_FILTERS, null);
  const chips = filters.chips.map((chip) => ({ ...chip, without: `${chip.without}#${ANCHOR}` }));
  return (
    <Section
      flush
      title={t("ledger.title")}
      id={ANCHOR}
      aside={
        <LinkButton small to={href("/dashboard/billing/statements")}>
          {t("ledger.statements")}
        </LinkButton>
      }
    >
      <div className="px-4 pt-3.5">
        <FilterBar
          anchor={ANCHOR}
          filters={{ ...filters, chips }}
          clear={`${href("/dashboard/billing")}#${ANCHOR}`}
          aside={
            <CsvLink
              to={`${href("/dashboard/billing/ledger/export")}${addressWith(query, { before: null, payments: null })}`}
            />
          }
        />
      </div>
      <LedgerTable lines={lines} filtered={chips.length > 0} />
      <Pager {...usePages(nextBefore, { position: "before", anchor: `#${ANCHOR}` })} />
    </Section>
  );
}
