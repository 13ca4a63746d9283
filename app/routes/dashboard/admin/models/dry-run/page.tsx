import { useTranslation } from "react-i18next";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readKeyRouting } from "~/domain/keys/index.server";
import { dryRun } from "~/gateway/dry-run";
import { Id, orNothing, SearchText } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { DryRunFields, dryRunQuery, requestOf } from "../../../DryRunFields";
import { DryRunOutcome } from "../../../DryRunOutcome";
import { ADMIN_MODELS } from "../shared";
import type { Route } from "./+types/page";

const Query = z.object({ ...dryRunQuery, model: orNothing(SearchText), key_id: orNothing(Id) });

export const handle = { hydrate: false };

export const loader = pageLoader({ allow: "platform_admin", query: Query }, async ({ actor, query: fields }) => {
  if (fields.model === undefined) return { asked: fields, result: null };
  const key = fields.key_id === undefined ? EVERYTHING : await readKeyRouting(db(), actor, fields.key_id);
  return { asked: fields, result: dryRun({ ...key, ...requestOf(fields), model: fields.model }) };
});

const EVERYTHING = { allowedModels: [], allowedRegions: [] };

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
            <TextField
              {...{ name: "key_id", label: t("key"), hint: t("keyHint"), defaultValue: asked.key_id }}
              inputMode="numeric"
            />
            <DryRunFields asked={asked} usual={t("usual")} />
          </FormStack>
          <FormActions>
            <Button kind="primary">{t("run")}</Button>
          </FormActions>
        </form>
      </Section>
      {result === null ? (
        <EmptyState title={t("none")}>{t("noneText")}</EmptyState>
      ) : (
        <DryRunOutcome result={result} isOperators />
      )}
    </>
  );
}
