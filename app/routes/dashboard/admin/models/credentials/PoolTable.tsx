import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Headroom } from "~/domain/credentials/shared";
import type { PooledCredential, SupplierPool } from "~/domain/routing/shared";
import { Count, Percent, RelativeTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, EmptyState } from "~/ui/page-parts";

/** All credentials of all suppliers: state, reason, remaining allowance and expiry. */
export function PoolTable({ pools }: { pools: readonly SupplierPool[] }) {
  const { t } = useTranslation("adminModels");
  const columns: Column<PooledCredential>[] = [
    {
      id: "credential",
      header: t("credentials.col.credential"),
      value: ({ name }) => name,
      cell: ({ supplier, region, name }) => (
        <div>
          <Link
            to={`?${new URLSearchParams({ provider: supplier, key_name: name, window_hours: "168" })}#log`}
            className="link font-strong"
          >
            {name}
          </Link>
          <span className="block text-xs text-ink-3">
            {supplier} · {region}
          </span>
        </div>
      ),
    },
    {
      id: "kind",
      header: t("credentials.col.kind"),
      optional: true,
      value: ({ kind }) => kind,
      cell: ({ kind }) => t(`credentials.type.${kind}`),
    },
    {
      id: "state",
      header: t("credentials.col.state"),
      value: ({ state }) => state,
      wrap: true,
      cell: (credential) => <State credential={credential} />,
    },
    {
      id: "flight",
      header: t("credentials.col.inFlight"),
      align: "end",
      value: ({ inFlight }) => inFlight,
      cell: ({ inFlight }) => <Count value={inFlight} />,
    },
    {
      id: "headroom",
      header: t("credentials.col.headroom"),
      wrap: true,
      cell: ({ headroom }) => <Left headroom={headroom} />,
    },
    {
      id: "refreshed",
      header: t("credentials.col.refreshed"),
      value: ({ refreshedAt }) => refreshedAt,
      cell: ({ kind, refreshedAt }) => (
        <RelativeTime at={refreshedAt} never={kind === "api_key" ? "–" : t("credentials.never")} />
      ),
    },
    {
      id: "expires",
      header: t("credentials.col.expires"),
      first: "asc",
      value: ({ expiresAt }) => expiresAt,
      cell: ({ kind, expiresAt }) => (
        <RelativeTime at={expiresAt} never={kind === "api_key" ? "–" : t("credentials.unknown")} />
      ),
    },
  ];
  return (
    <DataTable
      name="credential-pools"
      caption={t("credentials.pools")}
      columns={columns}
      rows={pools.flatMap(({ credentials }) => credentials)}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t("credentials.none")}>{t("credentials.noneText")}</EmptyState>}
    />
  );
}

/** Whether a credential gets requests; if not, the reason and the end time. */
function State({ credential: { state, rests, failures, retryAt } }: { credential: PooledCredential }) {
  const { t } = useTranslation("adminModels");
  const tone = state === "revoked" ? "bad" : state === "expired" || rests.length > 0 ? "held" : "good";
  const word = state === "usable" && rests.length > 0 ? "cooling" : state;
  return (
    <div className="grid min-w-44 justify-items-end gap-1 sm:justify-items-start">
      <Badge kind={tone}>{t(`credentials.state.${word}`)}</Badge>
      {state === "usable" ? null : <span className="text-xs text-ink-2">{t(`credentials.why.${state}`)}</span>}
      {rests.map(({ model, reason, endsAt }) => (
        <span key={`${model}-${reason}`} className="text-xs text-ink-2 wrap-anywhere">
          {t(`credentials.why.${reason}`)}
          {model === null ? null : (
            <>
              {" "}
              (<code>{model}</code>)
            </>
          )}
          {", "}
          {t("credentials.until")} <RelativeTime at={endsAt} />
        </span>
      ))}
      {failures === 0 ? null : (
        <span className="text-xs text-bad">
          {t("credentials.failures", { count: failures })}
          {retryAt === null ? null : (
            <>
              {", "}
              {t("health.next")} <RelativeTime at={retryAt} />
            </>
          )}
        </span>
      )}
    </div>
  );
}

/** The remaining allowance that the supplier last reported. */
function Left({ headroom }: { headroom: Headroom | null }) {
  const { t } = useTranslation("adminModels");
  if (headroom === null) return <span className="text-ink-3">{t("credentials.unsaid")}</span>;
  const { requests, tokens, used, at } = headroom;
  const left = [
    ["requests", requests],
    ["tokens", tokens],
  ] as const;
  return (
    <ul className="grid gap-0.5 text-xs">
      {left.map(([what, pair]) =>
        pair === null ? null : (
          <li key={what}>
            <Count value={pair.left} />
            {pair.of === null ? null : (
              <>
                {" / "}
                <Count value={pair.of} />
              </>
            )}{" "}
            {t(`credentials.left.${what}`)}
          </li>
        ),
      )}
      {Object.entries(used).map(([name, percent]) => (
        <li key={name}>
          {name}: <Percent share={percent / 100} /> {t("credentials.left.used")}
        </li>
      ))}
      <li className="text-ink-3">
        <RelativeTime at={new Date(at)} />
      </li>
    </ul>
  );
}
