import { useTranslation } from "react-i18next";
import { languageOf } from "~/access/language.server";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { i18nFor } from "~/i18n/server.server";
import { durationText, percentText } from "~/ui/format";
import type { PageHandle } from "~/ui/page-handle";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { PublicPage } from "~/ui/shell/PublicPage";
import { pageHead } from "../parts/describe-page";
import type { Route } from "./+types/page";
import { readStatus } from "./read.server";
import { UptimeBars } from "./UptimeBars";
import type { StatusLine } from "./view";

export const handle: PageHandle = { hydrate: false };

export async function loader({ context }: Route.LoaderArgs) {
  const { statusPage, baseUrl } = config();
  if (!statusPage) throw apiError("not_found");
  const t = i18nFor(languageOf(context)).getFixedT(null, "status");
  const head = { title: t("title"), description: t("description"), path: "/status" };
  return { ...(await readStatus(db())), baseUrl, head };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData === undefined ? [] : pageHead(loaderData.head, loaderData.baseUrl);

/** Availability of this installation's models by region, from its own traffic. */
export default function Status({ loaderData: { lines } }: Route.ComponentProps) {
  const { t } = useTranslation("status");
  const models = [...new Set(lines.map(({ model }) => model))];
  return (
    <PublicPage>
      <header className="max-w-lead pt-10 pb-6 sm:pt-14">
        <h1 className="text-7xl">{t("title")}</h1>
        <p className="mt-3 text-ink-2 text-xl">{t("description")}</p>
      </header>
      {lines.length === 0 ? (
        <p className="panel px-5 py-6 text-ink-2">{t("empty")}</p>
      ) : (
        <ul className="grid gap-4">
          {models.map((model) => (
            <li key={model} className="panel px-5 py-4">
              <h2 className="mono text-lg wrap-anywhere">{model}</h2>
              {lines
                .filter((line) => line.model === model)
                .map((line) => (
                  <Region key={line.region} line={line} />
                ))}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-6 max-w-text text-sm text-ink-3">{t("how")}</p>
    </PublicPage>
  );
}

function Region({ line: { region, uptime, latencyMs, firstByteMs, days } }: { line: StatusLine }) {
  const { t } = useTranslation("status");
  const { language } = useDocumentFacts();
  const share = percentText(uptime, language);
  return (
    <div className="mt-3 grid gap-1.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-5 gap-y-0.5">
        <span className="text-ink-2">{region}</span>
        <span className="flex flex-wrap gap-x-4 text-sm text-ink-2 tabular-nums">
          <b className="font-strong text-ink">{t("uptime", { share })}</b>
          {firstByteMs === null ? null : <span>{t("firstByte", { time: durationText(firstByteMs, language) })}</span>}
          <span>{t("latency", { time: durationText(latencyMs, language) })}</span>
        </span>
      </p>
      <UptimeBars days={days} label={t("bars", { region, share })} />
      <p className="flex justify-between text-2xs text-ink-3">
        <span>{t("daysAgo")}</span>
        <span>{t("today")}</span>
      </p>
    </div>
  );
}
