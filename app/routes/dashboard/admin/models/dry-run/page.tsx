import { useTranslation } from "react-i18next";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { readActorKey } from "~/domain/keys/index.server";
import { AUTOROUTER_ALGORITHMS, DRY_RUN_ENDPOINTS } from "~/domain/routing/shared";
import { dryRun } from "~/gateway/dry-run";
import { Flag, Id, orNothing, SearchText } from "~/http/fields";
import { Button } from "~/ui/Button";
import { CheckboxField, SelectField, TextField } from "~/ui/fields";
import { FormActions, FormStack } from "~/ui/form-parts";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { ADMIN_MODELS } from "../shared";
import type { Route } from "./+types/page";
import { Outcome } from "./Outcome";

/** Larger windows than any model has. */
const MAX_TOKENS = 100_000_000;
const tokens = (least: number) => orNothing(z.coerce.number().int().min(least).max(MAX_TOKENS));
const Query = z.object({
  model: orNothing(SearchText),
  endpoint: z.enum(DRY_RUN_ENDPOINTS).default("chat"),
  region: orNothing(SearchText),
  key_id: orNothing(Id),
  algorithm: orNothing(z.enum(AUTOROUTER_ALGORITHMS)),
  input_tokens: tokens(1),
  max_tokens: tokens(1),
  tools: orNothing(Flag),
  images: orNothing(Flag),
});

const USUAL_INPUT_TOKENS = 1_000;

export const handle = { hydrate: false };

export const loader = pageLoader({ allow: "platform_admin", query: Query }, async ({ actor, query }) => {
  const inputTokens = query.input_tokens ?? USUAL_INPUT_TOKENS;
  const asked = { ...query, input_tokens: inputTokens, tools: query.tools === true, images: query.images === true };
  if (query.model === undefined) return { asked, result: null };
  const key = query.key_id === undefined ? null : await readActorKey(db(), actor, query.key_id);
  const result = dryRun({
    ...{ model: query.model, endpoint: query.endpoint, tools: asked.tools, images: asked.images, inputTokens },
    allowedModels: key?.allowedModels ?? [],
    allowedRegions: key?.allowedRegions ?? [],
    region: query.region ?? null,
    algorithm: query.algorithm ?? null,
    maxOutputTokens: query.max_tokens ?? null,
  });
  return { asked, result };
});

export default function DryRunPage({ loaderData: { asked, result } }: Route.ComponentProps) {
  const { t } = useTranslation("dryRun");
  const { t: models } = useTranslation("adminModels");
  return (
    <>
      <PageHeader back={{ to: ADMIN_MODELS, label: models("title") }} title={t("title")} sub={t("subtitle")} />
      <Section>
        <form method="get" className="grid gap-4">
          <FormStack wide>
            <TextField
              {...{ name: "model", label: t("model"), hint: t("modelHint"), defaultValue: asked.model }}
              {...{ required: true, maxLength: 200, autoComplete: "off" }}
            />
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
              {...{ name: "key_id", label: t("key"), hint: t("keyHint"), defaultValue: asked.key_id }}
              inputMode="numeric"
            />
            <TextField
              {...{ name: "input_tokens", label: t("input"), defaultValue: asked.input_tokens }}
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
                { value: "", label: t("usual") },
                ...AUTOROUTER_ALGORITHMS.map((value) => ({ value, label: t(`algorithms.${value}`) })),
              ]}
            />
            <div className="flex flex-wrap gap-5">
              <CheckboxField name="tools" value="true" label={t("tools")} defaultChecked={asked.tools} />
              <CheckboxField name="images" value="true" label={t("images")} defaultChecked={asked.images} />
            </div>
          </FormStack>
          <FormActions>
            <Button kind="primary">{t("run")}</Button>
          </FormActions>
        </form>
      </Section>
      {result === null ? <EmptyState title={t("none")}>{t("noneText")}</EmptyState> : <Outcome result={result} />}
    </>
  );
}
