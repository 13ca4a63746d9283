import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SERVICE_TIERS } from "~/domain/catalogue/shared";
import { SelectField, TextField } from "~/ui/forms/fields";
import type { PortalFormState } from "~/ui/forms/portal-form";
import { Hidden } from "../Hidden";
import { askedField, LONG_PARTS, LONG_ROWS, longField, TIER_PARTS, tierField, tokensField } from "./price-fields";
import { type PriceName, usePartLabels } from "./price-labels";

type Form = PortalFormState<PriceName>;

const MORE = ["cache_write_1h_per_mtok", "audio_input_per_mtok", "audio_output_per_mtok", "per_tool_use"] as const;

/** Rarely used price fields. */
export function MorePrices({ form }: { form: Form }) {
  const { t } = useTranslation("adminModels");
  return (
    <Fold title={t("price.more")} form={form} names={MORE}>
      <div className="grid gap-4 sm:grid-cols-2">
        {MORE.map((name) => (
          <TextField key={name} {...form.field(name)} inputMode="decimal" autoComplete="off" />
        ))}
      </div>
    </Fold>
  );
}

/** Prices for long inputs, by input length. */
export function LongPrices({ form }: { form: Form }) {
  const { t } = useTranslation("adminModels");
  const parts = usePartLabels();
  const namesOf = (row: (typeof LONG_ROWS)[number]) => [
    tokensField(row),
    ...LONG_PARTS.map((part) => longField(row, part)),
  ];
  // The rows with values or errors, and one empty row.
  const used = LONG_ROWS.filter((row) => namesOf(row).some((name) => form.values[name] || form.problems[name]));
  const shown = LONG_ROWS.slice(0, Math.max(0, ...used) + 1);
  return (
    <Fold title={t("price.long")} text={t("price.longText")} form={form} names={LONG_ROWS.flatMap(namesOf)}>
      {shown.map((row) => (
        <Group key={row} title={t("price.longRow", { row })}>
          <TextField {...form.field(tokensField(row))} inputMode="numeric" autoComplete="off" placeholder="200000" />
          {LONG_PARTS.map((part) => (
            <TextField
              key={part}
              {...form.field(longField(row, part))}
              label={<Within group={t("price.longRow", { row })}>{parts[part]}</Within>}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
        </Group>
      ))}
    </Fold>
  );
}

/** Prices of other service tiers. `longTiers`: tiers with their own prices for long inputs. */
export function TierPrices({ form, longTiers }: { form: Form; longTiers: readonly string[] }) {
  const { t } = useTranslation("adminModels");
  const parts = usePartLabels();
  const names = SERVICE_TIERS.flatMap((tier) => TIER_PARTS.map((part) => tierField(tier, part)));
  return (
    <Fold title={t("price.tiers")} text={t("price.tiersText")} form={form} names={names}>
      {SERVICE_TIERS.map((tier) => (
        <Group key={tier} title={t(`price.tier.${tier}`)}>
          {TIER_PARTS.map((part) => (
            <TextField
              key={part}
              {...form.field(tierField(tier, part))}
              label={<Within group={t(`price.tier.${tier}`)}>{parts[part]}</Within>}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
          <SelectField
            {...form.field(askedField(tier))}
            label={<Within group={t(`price.tier.${tier}`)}>{t("price.asked")}</Within>}
            options={(["no", "yes"] as const).map((value) => ({ value, label: t(`price.askedOf.${value}`) }))}
          />
          {longTiers.includes(tier) ? <p className="text-ink-2 sm:col-span-3">{t("price.longKept")}</p> : null}
        </Group>
      ))}
    </Fold>
  );
}

/** Fields that stay collapsed unless they have a value or an error. */
function Fold({
  title,
  text,
  form,
  names,
  children,
}: {
  title: string;
  text?: string;
  form: Form;
  names: readonly PriceName[];
  children: ReactNode;
}) {
  return (
    <details open={names.some((name) => form.values[name] || form.problems[name])}>
      <summary className="cursor-pointer py-1 font-strong">{title}</summary>
      <div className="grid gap-4 pt-3">
        {text ? <p className="max-w-prose text-ink-2">{text}</p> : null}
        {children}
      </div>
    </details>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="rounded-lg border border-line px-4 pt-2 pb-4">
      <legend className="px-1 font-strong">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-3">{children}</div>
    </fieldset>
  );
}

/** A label with the name of its group for screen readers. */
const Within = ({ group, children }: { group: string; children: ReactNode }) => (
  <>
    <Hidden>{group}: </Hidden>
    {children}
  </>
);
