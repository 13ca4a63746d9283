import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { Button, LinkButton } from "~/ui/Button";
import { CodeSample } from "~/ui/CodeSample";
import { Money, RelativeTime, Tokens } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { togetherOf } from "../keys/together";
import type { Route } from "./+types/page";
import { GuideQuery, type GuideView, readGuide } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: GuideQuery }, ({ actor, query }) =>
  readGuide(db(), actor, query),
);

const STEPS = ["chat", "messages", "native"] as const;

export default function Guide({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("guide");
  const { samples, baseUrl, model } = view;
  const sample = (kind: string) => samples.find((each) => each.kind === kind)?.text ?? "";
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t("subtitle")}
        actions={
          <>
            <LinkButton to={href("/api-docs")} document>
              {t("reference")}
            </LinkButton>
            <LinkButton to={href("/guide")} document>
              {t("full")}
            </LinkButton>
          </>
        }
      />
      <KeyChoice view={view} />
      <div className="grid items-start gap-x-3.5 lg:grid-cols-[minmax(0,1fr)_13rem]">
        <div className="min-w-0">
          <Step name="prepare">
            <CodeSample
              name="shell"
              id="guide-prepare"
              text={`export GW_KEY=${view.key?.hint ?? "gw_…"}\nexport GW_BASE_URL=${baseUrl}`}
            />
            <CodeSample name="curl" id="guide-curl" text={sample("curl")} />
          </Step>
          {STEPS.map((name) => (
            <Step key={name} name={name}>
              <CodeSample name={t(`steps.${name}.title`)} id={`guide-${name}`} text={sample(name)} />
            </Step>
          ))}
          <Step name="others">
            <CodeSample name="curl" id="guide-others" text={othersOf(view)} />
          </Step>
          <Step name="read">
            <CodeSample name="HTTP" id="guide-read" text={HEADERS} />
          </Step>
          <Models view={view} />
          <Regions view={view} />
          <Step name="errors">
            <CodeSample name="JSON" id="guide-errors" text={errorOf(model)} />
            <Refused view={view} />
          </Step>
        </div>
        <nav aria-label={t("contents")} className="hidden lg:sticky lg:top-4 lg:block">
          <p className="mb-1.5 text-2xs text-ink-3">{t("contents")}</p>
          <ul className="grid gap-1 border-line border-l">
            {(["prepare", ...STEPS, "others", "read", "models", "regions", "errors"] as const).map((name) => (
              <li key={name}>
                <a href={`#${name}`} className="block py-0.5 pl-3 text-ink-2 hover:text-accent">
                  {name === "models" || name === "regions" ? t(`${name}.title`) : t(`steps.${name}.title`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </>
  );
}

function KeyChoice({ view: { key, keys } }: { view: GuideView }) {
  const { t } = useTranslation("guide");
  if (key === null) {
    return (
      <Section>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-ink-2">{t("key.none")}</p>
          <LinkButton to={href("/dashboard/keys/new")} kind="primary">
            {t("key.create")}
          </LinkButton>
        </div>
      </Section>
    );
  }
  return (
    <Section>
      <form method="get" autoComplete="off" className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <label htmlFor="guide-key" className="font-strong">
          {t("key.label")}
        </label>
        <select id="guide-key" name="key" defaultValue={key.id} className="field field-select w-auto max-w-72">
          {keys.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <Button small>{t("key.choose")}</Button>
        <span className="text-ink-3">{t("key.secret")}</span>
      </form>
    </Section>
  );
}

function Step({
  name,
  children,
}: {
  name: "prepare" | "chat" | "messages" | "native" | "others" | "read" | "errors";
  children: ReactNode;
}) {
  const { t } = useTranslation("guide");
  return (
    <Section id={name} title={t(`steps.${name}.title`)}>
      <div className="grid gap-3">
        <p className="max-w-184 text-ink-2">{t(`steps.${name}.text`)}</p>
        {children}
      </div>
    </Section>
  );
}

function Models({ view: { models } }: { view: GuideView }) {
  const { t } = useTranslation("guide");
  return (
    <Section id="models" title={t("models.title")} flush={models.length > 0}>
      <DataTable
        name="guide-models"
        caption={t("models.title")}
        rows={models}
        rowKey={({ id }) => id}
        empty={<p className="text-ink-2">{t("models.none")}</p>}
        columns={[
          { id: "model", header: t("models.model"), cell: ({ id }) => <span className="mono">{id}</span> },
          { id: "kind", header: t("models.kind"), cell: ({ capability }) => t(`models.capabilities.${capability}`) },
          { id: "regions", header: t("models.regions"), cell: ({ regions }) => regions.join(", ") },
          {
            id: "context",
            header: t("models.context"),
            align: "end",
            cell: ({ contextTokens }) => <Tokens count={contextTokens} />,
          },
          { id: "input", header: t("models.input"), align: "end", cell: ({ input }) => <Price nano={input} /> },
          { id: "output", header: t("models.output"), align: "end", cell: ({ output }) => <Price nano={output} /> },
        ]}
      />
    </Section>
  );
}

function Price({ nano }: { nano: bigint | null }) {
  const { t } = useTranslation("guide");
  return nano === null ? <span className="text-ink-3">{t("models.unpriced")}</span> : <Money nano={nano} />;
}

function Regions({ view: { allowedRegions, regions } }: { view: GuideView }) {
  const { t } = useTranslation("guide");
  return (
    <Section id="regions" title={t("regions.title")}>
      <p className="max-w-184 text-ink-2">
        {allowedRegions.length > 0 ? t("regions.lock", { list: allowedRegions.join(", ") }) : t("regions.free")}{" "}
        {t("regions.here", { list: regions.join(", ") })}
      </p>
    </Section>
  );
}

function Refused({ view: { refusals } }: { view: GuideView }) {
  const { t } = useTranslation("guide");
  return (
    <div>
      <h3 className="mb-1.5 text-ui">{t("steps.errors.recent")}</h3>
      {refusals.length === 0 ? <p className="text-ink-2">{t("steps.errors.none")}</p> : null}
      <ul className="grid gap-1.5">
        {togetherOf(refusals).map(({ requestId, code, humanMessage, at, times }) => (
          <li key={requestId} className="flex flex-wrap items-baseline gap-x-3">
            <a href={`/api-docs/errors#${code}`} className="mono link">
              {code}
            </a>
            {times > 1 ? <span className="text-ink-3">× {times}</span> : null}
            <span className="min-w-0 text-ink-2">{humanMessage}</span>
            <span className="text-xs text-ink-3">
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const HEADERS = `x-gw-supplier: …
x-gw-region: …
x-gw-failover: false
x-gw-latency-ms: 412
x-gw-input-tokens: 6
x-gw-output-tokens: 21
x-gw-cost-usd: 0.000034500`;

const errorOf = (model: string) => `{
  "error": {
    "code": "model_not_allowed",
    "type": "permission_error",
    "message": "model_not_allowed - This key may not call ${model}.",
    "human_message": "This key may not call ${model}."
  }
}`;

function othersOf({ baseUrl, models }: GuideView): string {
  const pick = (capability: string) => models.find((model) => model.capability === capability)?.id;
  const call = (path: string, body: object) =>
    `curl ${baseUrl}${path} \\\n  -H "Authorization: Bearer $GW_KEY" -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body)}'`;
  const [embedding, rerank, speech] = [pick("embedding"), pick("rerank"), pick("speech")];
  const calls = [
    embedding && call("/v1/embeddings", { model: embedding, input: ["one text", "another"] }),
    rerank && call("/v1/rerank", { model: rerank, query: "which?", documents: ["this one", "that one"] }),
    speech && `${call("/v1/audio/speech", { model: speech, input: "Hello.", voice: "alloy" })} -o hello.mp3`,
  ].filter((text) => typeof text === "string" && text !== "");
  return calls.length > 0 ? calls.join("\n\n") : call("/v1/models", {}).split(" \\\n  -d")[0]!;
}
