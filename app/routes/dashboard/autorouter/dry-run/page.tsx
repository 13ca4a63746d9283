import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { listKeyAutorouters, readKeyRouting } from "~/domain/keys/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";
import { dryRun } from "~/gateway/dry-run";
import { Id, orNothing, SearchText } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { DryRunFields, dryRunQuery, requestOf } from "../../DryRunFields";
import { DryRunOutcome } from "../../DryRunOutcome";
import { routesShownTo } from "../../request-log/view.server";
import type { Route } from "./+types/page";

/** Maximum number of keys in the select box. */
const MAX_KEYS = 100;
const Query = z.object({ ...dryRunQuery, model: orNothing(SearchText), key_id: orNothing(Id) });

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: Query }, async ({ actor, query: fields }) => {
  const { keys } = await listKeyAutorouters(db(), actor, MAX_KEYS);
  const choices = keys.map(({ id, name }) => ({ id, name }));
  if (fields.key_id === undefined) return { asked: fields, choices, result: null };
  const { name, ...key } = await readKeyRouting(db(), actor, fields.key_id);
  if (!choices.some(({ id }) => id === fields.key_id)) choices.push({ id: fields.key_id, name });
  const result = dryRun({ ...key, ...requestOf(fields), model: fields.model ?? AUTO_MODEL });
  // Nothing was tried, so a reader who may not see all candidates sees the first one.
  const isWhole = routesShownTo(actor) === "all";
  return {
    asked: fields,
    choices,
    result: isWhole ? result : { ...result, routes: result.routes.slice(0, 1), excluded: [] },
  };
});

export default function AutorouterDryRun({ loaderData: { asked, choices, result } }: Route.ComponentProps) {
  const { t } = useTranslation("dryRun");
  const { t: autorouter } = useTranslation("autorouter");
  const back = { to: href("/dashboard/autorouter"), label: autorouter("title") };
  return (
    <>
      <PageHeader back={back} title={t("ofKey")} sub={t("subtitle")} />
      {choices.length === 0 ? (
        <EmptyState title={autorouter("keys.none")} />
      ) : (
        <>
          <Section>
            <form method="get" className="grid gap-4">
              <FormStack wide>
                <SelectField
                  name="key_id"
                  label={t("key")}
                  defaultValue={String(asked.key_id ?? choices[0]?.id)}
                  options={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
                />
                <TextField
                  {...{
                    name: "model",
                    label: t("model"),
                    hint: t("modelHint"),
                    defaultValue: asked.model ?? AUTO_MODEL,
                  }}
                  {...{ required: true, maxLength: 200, autoComplete: "off" }}
                />
                <DryRunFields asked={asked} usual={t("asSet")} />
              </FormStack>
              <FormActions>
                <Button kind="primary">{t("run")}</Button>
              </FormActions>
            </form>
          </Section>
          {result === null ? (
            <EmptyState title={t("none")}>{t("noneText")}</EmptyState>
          ) : (
            <DryRunOutcome result={result} isOperators={false} />
          )}
        </>
      )}
    </>
  );
}
