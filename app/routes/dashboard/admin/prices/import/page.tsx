import { useTranslation } from "react-i18next";
import type { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { pageAnswer } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { applyPrices, previewPrices } from "~/domain/catalogue/index.server";
import { MAX_FILE_LINES } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import { Button } from "~/ui/Button";
import { wholeText } from "~/ui/format";
import { TextArea, TextField } from "~/ui/forms/fields";
import { FormActions, FormProblem, FormStack } from "~/ui/forms/form-parts";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { ADMIN_MODELS, SET_PRICE } from "../../models/shared";
import type { Route } from "./+types/page";
import { Preview } from "./Preview";
import { PriceFileForm } from "./price-file-form.schema";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "platform_admin" }, () => ({}));

/** Previews the changes of a price file, or applies the changes of an earlier preview. */
export const action = pageAnswer({ allow: "platform_admin", body: PriceFileForm }, async ({ actor, body, context }) => {
  // Required before the preview: a later identity check would lose a long text.
  requireRecentProof(context);
  const text = await textOf(body);
  const from = body.from === null ? null : new Date(body.from);
  const file = { text, from: body.from };
  if (body.act === "preview") return { ...(await previewPrices(db(), { text, from })), file, applied: null };
  if (body.fingerprint === undefined)
    throw apiError("invalid_request", { key: "rejections:priceFileChanged", param: "fingerprint" });
  const applied = await applyPrices(db(), authorOf(actor), { text, from }, body.fingerprint);
  return { plan: null, problem: null, file, applied: { changed: applied.changed } };
});

/** An uploaded file takes precedence over the text field, which may be from an earlier attempt. */
const textOf = async ({ file, text }: z.output<typeof PriceFileForm>): Promise<string> =>
  file instanceof Blob && file.size > 0 ? file.text() : text;

export default function PricesFromFile({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const { language } = useDocumentFacts();
  const answer = actionData?.form === null ? actionData.answer : null;
  const refused = actionData?.form ?? null;
  const sent = refused?.sent ?? { text: answer?.file.text ?? "", from: (answer?.file.from ?? "").slice(0, 16) };
  return (
    <>
      <PageHeader
        back={{ to: `${ADMIN_MODELS}?tab=prices`, label: t("tab.prices") }}
        title={t("priceFile.title")}
        sub={t("priceFile.sub")}
        actions={
          <>
            <Download format="csv" />
            <Download format="json" />
          </>
        }
      />
      <FormProblem
        text={refused?.problem ?? refused?.fields.fingerprint ?? fileProblem({ t, language }, answer?.problem)}
      />
      {answer?.applied ? (
        <p role="status" className="mb-4 max-w-prose rounded-lg border border-line px-3.5 py-2.5">
          {answer.applied.changed === 0
            ? t("priceFile.nothing")
            : t("priceFile.applied", { count: answer.applied.changed })}
        </p>
      ) : null}
      {answer?.plan ? <Preview plan={answer.plan} file={answer.file} /> : null}
      <FileFields sent={answer?.applied ? {} : sent} fields={refused?.fields ?? {}} />
    </>
  );
}

function Download({ format }: { format: "csv" | "json" }) {
  const { t } = useTranslation("adminModels");
  return (
    <a href={`${SET_PRICE}/export?format=${format}`} download className="button">
      {t("priceFile.download", { format: format.toUpperCase() })}
    </a>
  );
}

type Words = ReturnType<typeof useTranslation<"adminModels">>["t"];
type Problem = Extract<Route.ComponentProps["actionData"], { form: null }>["answer"]["problem"];

function fileProblem({ t, language }: { t: Words; language: string }, problem: Problem | undefined): string | null {
  if (!problem) return null;
  if (problem.code === "columns") return t("priceFile.file.columns", { columns: problem.columns.join(", ") });
  return t(`priceFile.file.${problem.code}`, { most: wholeText(MAX_FILE_LINES, language) });
}

type Texts = Readonly<Record<string, string>>;

function FileFields({ sent, fields }: { sent: Texts; fields: Texts }) {
  const { t } = useTranslation("adminModels");
  const { language } = useDocumentFacts();
  return (
    <Section title={t("priceFile.choose")} id="file">
      <form method="post" encType="multipart/form-data" className="grid gap-4">
        <FormStack wide>
          <TextField
            name="file"
            type="file"
            accept=".csv,.json,text/csv,application/json"
            label={t("priceFile.upload")}
            hint={t("priceFile.uploadHint", { most: wholeText(MAX_FILE_LINES, language) })}
            problem={fields.file}
          />
          <TextField
            name="from"
            type="datetime-local"
            label={t("price.from")}
            hint={t("price.fromHint")}
            defaultValue={sent.from ?? ""}
            problem={fields.from}
          />
        </FormStack>
        <TextArea
          name="text"
          label={t("priceFile.paste")}
          hint={t("priceFile.pasteHint")}
          defaultValue={sent.text ?? ""}
          problem={fields.text}
          rows={8}
          spellCheck={false}
        />
        <FormActions>
          <Button name="act" value="preview">
            {t("priceFile.preview")}
          </Button>
        </FormActions>
      </form>
    </Section>
  );
}
