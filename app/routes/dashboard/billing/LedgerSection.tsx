import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { LEDGER_KINDS, type LedgerLine } from "~/domain/accounting/shared";
import { LinkButton } from "~/ui/Button";
import { FilterInput, FilterSelect } from "~/ui/forms/FilterFields";
import { addressWith, useChips } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import { Section } from "~/ui/page-parts";
import { entryKindText } from "./entry-text";
import { LedgerTable } from "./LedgerTable";

const ANCHOR = "ledger";

/** The ledger of a wallet with filters, pages, and a file of the filtered lines. */
export function LedgerSection({ lines, nextBefore }: { lines: readonly LedgerLine[]; nextBefore: bigint | null }) {
  const { t } = useTranslation("billing");
  const [query] = useSearchParams();
  const itself = (value: string) => value;
  const chips = useChips({
    kind: [t("ledger.kind"), (value) => entryKindText(t, value)],
    since: [t("ledger.since"), itself],
    until: [t("ledger.until"), itself],
    minimum: [t("ledger.minimum"), itself],
  });
  const here = (changes: Readonly<Record<string, string | null>>) => `${addressWith(query, changes)}#${ANCHOR}`;
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
          chips={chips.map((chip) => ({ ...chip, without: `${chip.without}#${ANCHOR}` }))}
          clear={`${href("/dashboard/billing")}#${ANCHOR}`}
          aside={
            <CsvLink
              to={`${href("/dashboard/billing/ledger/export")}${addressWith(query, { before: null, payments: null })}`}
            />
          }
        >
          <FilterSelect
            name="kind"
            label={t("ledger.kind")}
            first={t("ledger.anyKind")}
            options={LEDGER_KINDS.map((kind) => [kind, entryKindText(t, kind)])}
          />
          <FilterInput name="since" type="date" label={t("ledger.since")} />
          <FilterInput name="until" type="date" label={t("ledger.until")} />
          <FilterInput name="minimum" type="text" label={t("ledger.minimum")} />
        </FilterBar>
      </div>
      <LedgerTable lines={lines} filtered={chips.length > 0} />
      <Pager
        newer={query.has("before") ? here({ before: null }) : null}
        older={nextBefore === null ? null : here({ before: String(nextBefore) })}
      />
    </Section>
  );
}
