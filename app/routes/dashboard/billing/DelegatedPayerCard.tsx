import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { Delegation } from "~/domain/payers/shared";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { AskColleagueForm } from "./delegated-payer.schema";

const ACTION = "/dashboard/billing/delegated-payer";

/**
 * The colleague who pays for the reader, colleagues for whom the reader pays, open requests, and the form for a new
 * one.
 */
export function DelegatedPayerCard({
  delegations,
  refused,
}: {
  delegations: readonly Delegation[];
  refused: RefusedValues | null;
}) {
  const { t } = useTranslation("payer");
  const form = usePortalForm({
    id: "delegated-payer-form",
    action: href(ACTION),
    schema: AskColleagueForm,
    labels: { email: t("delegated.email") },
    refused,
  });
  return (
    <Section title={t("delegated.title")} id="delegated-payer">
      <div className="grid gap-4">
        <p className="max-w-prose text-ink-2">{t("delegated.about")}</p>
        {delegations.length === 0 ? null : (
          <ul className="grid gap-3">
            {delegations.map((each) => (
              <Agreement key={each.id} delegation={each} />
            ))}
          </ul>
        )}
        <PortalForm form={form} className="grid gap-4">
          <FormStack>
            <TextField {...form.field("email")} type="email" hint={t("delegated.hint")} autoComplete="off" required />
            <FormActions>
              <Button name="act" value="request">
                {t("delegated.request")}
              </Button>
              <Button name="act" value="offer">
                {t("delegated.offer")}
              </Button>
            </FormActions>
          </FormStack>
        </PortalForm>
      </div>
    </Section>
  );
}

function Agreement({ delegation: { id, other: name, pays, askedByReader, acceptedAt } }: { delegation: Delegation }) {
  const { t } = useTranslation("payer");
  const state = acceptedAt !== null ? "inForce" : askedByReader ? "asked" : "question";
  const end = { inForce: "stop", asked: "cancel", question: "decline" } as const;
  return (
    <li className="grid gap-2 border-line border-t pt-3">
      <p>{t(`delegated.${pays ? "pays" : "paid"}.${state}`, { name })}</p>
      <FormActions>
        {state === "question" ? (
          <Answer id={id} act="accept" label={t(pays ? "delegated.acceptAndPay" : "delegated.accept")} />
        ) : null}
        <Answer id={id} act="end" label={t(`delegated.${end[state]}`)} />
      </FormActions>
    </li>
  );
}

function Answer({ id, act, label }: { id: number; act: "accept" | "end"; label: string }) {
  return (
    <form method="post" action={href(ACTION)}>
      <input type="hidden" name="delegation_id" value={id} />
      <input type="hidden" name="act" value={act} />
      <Button kind={act === "accept" ? "primary" : undefined}>{label}</Button>
    </form>
  );
}
