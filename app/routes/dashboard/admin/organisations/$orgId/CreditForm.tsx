import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import type { OrganisationCredit } from "~/domain/payers/index.server";
import { Button } from "~/ui/Button";
import { moneyText } from "~/ui/format";
import { TextField } from "~/ui/forms/fields";
import { FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { plainUsd } from "~/values/money";
import { OrganisationForm } from "../organisation-form.schema";

type Props = {
  organisationId: number;
  credit: OrganisationCredit;
  /** Limit of the organisation's own wallet. */
  creditLimitNanoUsd: bigint;
  /** Whether the reader is a platform admin, who may change the limits. */
  runs: boolean;
  refused?: RefusedHere;
};

/** An organisation's outstanding credit, and the maximum that its own admins may grant. */
export function CreditForm({ organisationId, credit, creditLimitNanoUsd, runs, refused }: Props) {
  const { t } = useTranslation("credit");
  const { language } = useDocumentFacts();
  const { ceilingNanoUsd, givenNanoUsd } = credit;
  const form = usePortalForm({
    id: "credit-form",
    action: `/dashboard/admin/organisations/${organisationId}`,
    schema: OrganisationForm,
    labels: { credit_ceiling: t("ceiling"), credit_limit: t("limit") },
    values: { credit_ceiling: plainUsd(ceilingNanoUsd), credit_limit: plainUsd(creditLimitNanoUsd) },
    refused: refused?.sent.credit_ceiling === undefined ? null : refused,
  });
  const givenText = moneyText(givenNanoUsd, language);
  const ceiling = moneyText(ceilingNanoUsd, language);
  return (
    <Section title={t("title")} id="credit" aside={t("given", { given: givenText, ceiling })}>
      <div className="grid gap-4">
        <p className="text-ink-2">{t(runs ? "text" : "own")}</p>
        {givenNanoUsd > ceilingNanoUsd ? (
          <p className="rounded-lg bg-held-soft px-3.5 py-2.5 text-held-ink">{t("over")}</p>
        ) : null}
        {runs ? (
          <PortalForm form={form} className="grid gap-4">
            <FormStack wide>
              <TextField
                {...form.field("credit_ceiling")}
                hint={t("ceilingHint")}
                inputMode="decimal"
                autoComplete="off"
                required
              />
              <TextField
                {...form.field("credit_limit")}
                hint={t("limitHint")}
                inputMode="decimal"
                autoComplete="off"
                required
              />
            </FormStack>
            <div>
              <Button>{t("button")}</Button>
            </div>
          </PortalForm>
        ) : null}
      </div>
    </Section>
  );
}
