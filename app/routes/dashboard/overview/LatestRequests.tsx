import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { Duration, Money, RelativeTime, Tokens } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import { Badge, Section } from "~/ui/page-parts";
import { useReasons } from "../reasons";
import type { OverviewView } from "./view.server";

/** The latest finished calls. */
export function LatestRequests({ view: { recent, timeZone } }: { view: OverviewView }) {
  const { t } = useTranslation(["dashboard", "requestLog"]);
  const reasonOf = useReasons();
  return (
    <Section
      title={t("recent.title")}
      aside={
        <Link to={href("/dashboard/request-log")} className="hover:text-ink">
          {t("recent.all")}
        </Link>
      }
      flush={recent.length > 0}
    >
      <DataTable
        name="overview-requests"
        caption={t("recent.title")}
        rows={recent}
        rowKey={({ requestId }) => requestId}
        empty={<p className="text-ink-2">{t("recent.none")}</p>}
        columns={[
          {
            id: "time",
            header: t("recent.time"),
            cell: ({ requestId, startedAt }) => (
              <Link to={`/dashboard/request-log/${requestId}`} className="hover:text-accent">
                <RelativeTime at={startedAt} timeZone={timeZone} />
              </Link>
            ),
          },
          {
            id: "status",
            header: t("recent.status"),
            cell: ({ status, errorCode, outcome }) => (
              <Badge
                kind={outcome === "complete" ? "good" : status >= 500 ? "bad" : "held"}
                title={errorCode === null ? undefined : `${errorCode}: ${reasonOf(errorCode)}`}
              >
                {status === 0 ? t("requestLog:outcome.interrupted") : status}
              </Badge>
            ),
          },
          {
            id: "model",
            header: t("recent.model"),
            cell: ({ model, requestedModel, attempts, supplier }) => (
              <span
                className="block max-w-36 truncate"
                title={[
                  modelText({ model, requestedModel }),
                  supplier,
                  attempts > 1 ? t("recent.failover", { count: attempts }) : null,
                ]
                  .filter(Boolean)
                  .join(", ")}
              >
                {modelText({ model, requestedModel })}
              </span>
            ),
          },
          {
            id: "cost",
            header: t("recent.cost"),
            align: "end",
            cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} />,
          },
          {
            id: "latency",
            header: t("recent.latency"),
            align: "end",
            cell: ({ latencyMs }) => <Duration ms={latencyMs} />,
          },
          {
            id: "tokens",
            header: t("recent.tokens"),
            align: "end",
            cell: ({ inputTokens, outputTokens }) => (
              <>
                <Tokens count={inputTokens} /> / <Tokens count={outputTokens} />
              </>
            ),
          },
          {
            id: "key",
            header: t("recent.key"),
            cell: ({ keyId, keyName }) => (
              <Link
                to={`/dashboard/keys/${keyId}`}
                className="block max-w-40 truncate hover:text-accent"
                title={keyName}
              >
                {keyName}
              </Link>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** The requested model, followed by the answering one if it differs. */
const modelText = ({ model, requestedModel }: { model: string; requestedModel: string }): string =>
  requestedModel === model || model === "" ? requestedModel : `${requestedModel} → ${model}`;
