import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Legend } from "~/ui/charts/Legend";
import { StackedBars } from "~/ui/charts/StackedBars";
import { Count, RelativeTime } from "~/ui/Figures";
import { wholeText } from "~/ui/format";
import { DataTable } from "~/ui/lists/DataTable";
import { requestLogAddress, spanOfBar } from "~/ui/lists/list-address";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { isOneOf } from "~/values/one-of";
import { binOf, rejectedSeries } from "../chart-series";
import { RejectionFix } from "../keys/RejectionText";
import { useReasons } from "../reasons";
import type { OverviewView } from "./view.server";

/**
 * Requests that were rejected before a supplier was called: over time, by reason, with remedies. Renders nothing if
 * there are none.
 */
export function RejectedRequests({ view }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const reasonOf = useReasons();
  const { usage, range, tz } = view;
  if (usage.rejected.now === 0) return null;
  const log = `/dashboard/request-log?outcome=rejected&range=${range}&tz=${tz}`;
  return (
    <Section
      title={t("rejected.title")}
      aside={
        <Link to={log} className="hover:text-ink">
          {t("rejected.all")}
        </Link>
      }
    >
      <div className="mb-3">
        <RejectedChart view={view} />
      </div>
      <DataTable
        name="overview-rejected"
        caption={t("rejected.title")}
        rows={view.rejectionReasons}
        rowKey={({ code, scope }) => `${code} ${scope}`}
        columns={[
          {
            id: "reason",
            header: t("rejected.reason"),
            cell: ({ code, scope }) => (
              <>
                <Link to={`${log}&code=${code}`} className="mono hover:text-accent" title={reasonOf(code)}>
                  {code}
                </Link>{" "}
                {isScope(scope) ? <span className="text-ink-3">{t(`rejected.scope.${scope}`)}</span> : null}
              </>
            ),
          },
          {
            id: "count",
            header: t("rejected.count"),
            align: "end",
            cell: ({ rejections }) => <Count value={rejections} />,
          },
          {
            id: "key",
            header: t("rejected.key"),
            cell: ({ keyId, keyName, keys }) => (
              <>
                <Link
                  to={`/dashboard/keys/${keyId}#refusals`}
                  className="inline-block max-w-48 truncate align-bottom hover:text-accent"
                >
                  {keyName ?? t("keys.gone")}
                </Link>{" "}
                {keys > 1 ? <span className="text-ink-3">{t("rejected.others", { count: keys - 1 })}</span> : null}
              </>
            ),
          },
          { id: "last", header: t("rejected.last"), cell: ({ lastAt }) => <RelativeTime at={lastAt} /> },
          {
            id: "fix",
            header: t("rejected.fix"),
            cell: ({ code, scope, keyId }) => <RejectionFix code={code} scope={scope} keyId={keyId} />,
          },
        ]}
      />
    </Section>
  );
}

function RejectedChart({ view: { usage, range, tz, timeZone } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const { language } = useDocumentFacts();
  const bucket = range === "24h" ? ("hour" as const) : ("day" as const);
  const series = rejectedSeries(usage.rejected, t("chart.others"));
  return (
    <>
      <div className="mb-3">
        <Legend names={series.map(({ name }) => name)} />
      </div>
      <StackedBars
        caption={t("rejected.title")}
        first={t("chart.time")}
        bins={usage.buckets.map((at) => binOf(new Date(at), { language, timeZone, bucket }))}
        series={series}
        linkOf={(bar, part) =>
          requestLogAddress(new URLSearchParams({ tz, outcome: "rejected" }), {
            ...spanOfBar(usage.buckets[bar] as Date, { bucket, timeZone }),
            code: usage.rejected.codes.find(({ code }) => code === series[part]?.name)?.code ?? null,
          })
        }
        format={(value) => wholeText(Math.round(value), language)}
      />
    </>
  );
}

const SCOPES = ["key", "user", "department", "project", "organisation", "wallet"] as const;
const isScope = isOneOf(SCOPES);
