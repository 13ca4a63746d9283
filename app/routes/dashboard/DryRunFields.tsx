import { useTranslation } from "react-i18next";
import { z } from "zod";
import { AUTOROUTER_ALGORITHMS, DRY_RUN_ENDPOINTS } from "~/domain/routing/shared";
import { Flag, orNothing, SearchText } from "~/http/body/fields";
import { CheckboxField, SelectField, TextField } from "~/ui/forms/fields";

/** Larger than the context window of any model. */
const MAX_TOKENS = 100_000_000;
const USUAL_INPUT_TOKENS = 1_000;
const tokens = (minimum: number) => orNothing(z.coerce.number().int().min(minimum).max(MAX_TOKENS));

/** The request of a dry run, apart from its model and key. */
export const dryRunQuery = {
  endpoint: z.enum(DRY_RUN_ENDPOINTS).default("chat"),
  region: orNothing(SearchText),
  algorithm: orNothing(z.enum(AUTOROUTER_ALGORITHMS)),
  input_tokens: tokens(1),
  max_tokens: tokens(1),
  tools: orNothing(Flag),
  images: orNothing(Flag),
};
const DryRunQuery = z.object(dryRunQuery);
type Asked = z.output<typeof DryRunQuery>;

/** Converts the fields to a request in the gateway's form. */
export const requestOf = (fields: Asked) => ({
  endpoint: fields.endpoint,
  region: fields.region ?? null,
  algorithm: fields.algorithm ?? null,
  inputTokens: fields.input_tokens ?? USUAL_INPUT_TOKENS,
  maxOutputTokens: fields.max_tokens ?? null,
  tools: fields.tools === true,
  images: fields.images === true,
});

/** The fields of the request. */
export function DryRunFields({ asked, usual }: { asked: Asked; usual: string }) {
  const { t } = useTranslation("dryRun");
  return (
    <>
      <SelectField
        name="endpoint"
        label={t("endpoint")}
        defaultValue={asked.endpoint}
        options={DRY_RUN_ENDPOINTS.map((value) => ({ value, label: t(`endpoints.${value}`) }))}
      />
      <TextField
        {...{ name: "region", label: t("region"), hint: t("regionHint"), defaultValue: asked.region }}
        maxLength={200}
      />
      <TextField
        {...{ name: "input_tokens", label: t("input"), defaultValue: asked.input_tokens ?? USUAL_INPUT_TOKENS }}
        {...{ type: "number", min: 1, max: MAX_TOKENS }}
      />
      <TextField
        {...{ name: "max_tokens", label: t("output"), hint: t("outputHint"), defaultValue: asked.max_tokens }}
        {...{ type: "number", min: 1, max: MAX_TOKENS }}
      />
      <SelectField
        name="algorithm"
        label={t("algorithm")}
        defaultValue={asked.algorithm ?? ""}
        options={[
          { value: "", label: usual },
          ...AUTOROUTER_ALGORITHMS.map((value) => ({ value, label: t(`algorithms.${value}`) })),
        ]}
      />
      <div className="flex flex-wrap gap-5">
        <CheckboxField name="tools" value="true" label={t("tools")} defaultChecked={asked.tools === true} />
        <CheckboxField name="images" value="true" label={t("images")} defaultChecked={asked.images === true} />
      </div>
    </>
  );
}
