import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { href, useRevalidator } from "react-router";
import { z } from "zod";
import { pageAnswer } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { orNothing } from "~/http/body/fields";
import { LinkButton } from "~/ui/Button";
import { usePortalForm } from "~/ui/forms/portal-form";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Snippets } from "~/ui/Snippets";
import { readForm } from "../keys/form-values";
import type { Route } from "./+types/page";
import { Answers } from "./Answers";
import { chatBodyOf, withoutBytes } from "./chat-body";
import { PlaygroundFields } from "./PlaygroundFields";
import { PlaygroundForm } from "./playground-form.schema";
import { samplesOf } from "./samples";
import { type Fields, useAnswers } from "./use-answers";
import { readPlayground } from "./view.server";
import { answerAtOnce } from "./whole.server";

/** `request`: a request whose stored texts fill the form. */
const Query = z.object({ request: orNothing(z.uuid()) });

export const loader = pageLoader({ allow: "member", query: Query }, ({ actor, query }) =>
  readPlayground(actor, query.request),
);

/** Without script: the same calls, each with a complete answer. */
export const action = pageAnswer({ allow: "member", body: PlaygroundForm }, ({ actor, body, request }) =>
  answerAtOnce(actor, body, request.signal),
);

export default function Playground({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("playground");
  const { keys, models, budget, baseUrl } = view;
  const [image, setImage] = useState("");
  const { columns, running, ...answers } = useAnswers(image, view.prompt.turns);
  const { revalidate } = useRevalidator();
  const form = usePortalForm({
    id: "playground",
    schema: PlaygroundForm,
    labels: useLabels(),
    values: {
      model: view.prompt.model ?? models[0] ?? "",
      key_id: String(keys[0]?.id ?? ""),
      max_tokens: "512",
      system: view.prompt.system,
      message: view.prompt.message,
    },
    refused: actionData?.form,
  });
  const [fields, setFields] = useState<Fields>(form.values);
  useEffect(() => {
    const element = document.forms.namedItem("playground");
    if (element !== null) setFields(readForm(element));
  }, []);
  const send = (event: FormEvent<HTMLFormElement>) => {
    form.props.onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    form.forgetSummary();
    if (!running) void answers.send(readForm(event.currentTarget)).then(revalidate);
  };
  const shown = columns.length > 0 ? columns : actionData?.form === null ? actionData.answer.columns : [];
  if (keys.length === 0)
    return (
      <>
        <PageHeader title={t("title")} sub={t("subtitle")} />
        <Section title={t("noKeys")}>
          <EmptyState
            title={t("noKeys")}
            action={<LinkButton to={href("/dashboard/keys/new")}>{t("createKey")}</LinkButton>}
          >
            {t("noKeysText")}
          </EmptyState>
        </Section>
      </>
    );
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <div className="grid items-start gap-x-3.5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]">
        <Section
          title={t("request")}
          aside={
            <span title={t("budgetHint")}>{t("budget", { left: budget.leftNanoUsd, daily: budget.dailyNanoUsd })}</span>
          }
        >
          <PlaygroundFields
            {...{ form, keys, models, running, send, setImage }}
            onInput={setFields}
            stop={answers.stop}
            earlier={columns.length > 0 ? [] : view.prompt.turns}
            clear={columns.length > 0 ? answers.clear : null}
          />
        </Section>
        <div className="min-w-0">
          <Answers columns={shown} />
          <Section title={t("code")} aside={t("codeHint")}>
            <Snippets name="code" samples={samplesOf(baseUrl, bodyOf(fields, image))} />
          </Section>
        </div>
      </div>
    </>
  );
}

function useLabels() {
  const { t } = useTranslation("playground");
  const names = [
    "key_id",
    "model",
    "model_2",
    "model_3",
    "system",
    "message",
    "tool",
    "max_tokens",
    "temperature",
    "history",
    "image",
  ] as const;
  return Object.fromEntries(names.map((name) => [name, t(`field.${name}`)])) as Record<(typeof names)[number], string>;
}

/** The request during input, without the bytes of an image, which would fill the page. */
function bodyOf(fields: Fields, image: string): Record<string, unknown> {
  const read = PlaygroundForm.safeParse({ ...fields, message: fields.message || "Say hello." });
  if (read.success) return chatBodyOf({ ...read.data, image: withoutBytes(image) });
  return { model: fields.model ?? "", messages: [{ role: "user", content: fields.message || "Say hello." }] };
}
