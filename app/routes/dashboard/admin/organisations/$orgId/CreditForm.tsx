import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import type { OrganisationCredit } from "~/domain/identity/index.server";
import { formatUsd } from "~/money";
import { Button } from "~/ui/Button";
import { useDocumentFacts } from "~/ui/document-context";
import { TextField } from "~/ui/fields";
import { FormStack } from "~/ui/form-parts";
import { moneyText } from "~/ui/format";
import { Section } from "~/ui/page-parts";

type Props = {
  organisationId: number;
  credit: OrganisationCredit;
  /** Of the organisation's own wallet. */
  creditLimitNanoUsd: bigint;
  /** Whether the reader runs the installation, and so decides. */
  runs: boolean;
  form?: RefusedHere;
};

/** How much credit stands in an organisation, and how much its own admins may give out. */
export function CreditForm({ organisationId, credit, creditLimitNanoUsd, runs, form }: Props) {
  const { t } = useTranslation("credit");
  const { language } = useDocumentFacts();
  const { ceilingNanoUsd, givenNanoUsd } = credit;
  const { fields = {}, sent = {} } = form ?? {};
  const given = moneyText(givenNanoUsd, language);
  const ceiling = moneyText(ceilingNanoUsd, language);
  return (
    <Section title={t("title")} id="credit" aside={t("given", { given, ceiling })}>
      <div className="grid gap-4">
        <p className="text-ink-2">{t(runs ? "text" : "own")}</p>
        {givenNanoUsd > ceilingNanoUsd ? (
          <p className="rounded-lg bg-held-soft px-3.5 py-2.5 text-held-ink">{t("over")}</p>
        ) : null}
        {runs ? (
          <form method="post" action={`/dashboard/admin/organisations/${organisationId}`} className="grid gap-4">
            <FormStack wide>
              <TextField
                name="credit_ceiling"
                label={t("ceiling")}
                hint={t("ceilingHint")}
                inputMode="decimal"
                autoComplete="off"
                required
                defaultValue={sent.credit_ceiling ?? plainUsd(ceilingNanoUsd)}
                problem={fields.credit_ceiling}
              />
              <TextField
                name="credit_limit"
                label={t("limit")}
                hint={t("limitHint")}
                inputMode="decimal"
                autoComplete="off"
                required
                defaultValue={sent.credit_limit ?? plainUsd(creditLimitNanoUsd)}
                problem={fields.credit_limit}
              />
            </FormStack>
            <div>
              <Button>{t("button")}</Button>
            </div>
          </form>
        ) : null}
      </div>
    </Section>
  );
}

const plainUsd = (nano: bigint) => formatUsd(nano).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");
