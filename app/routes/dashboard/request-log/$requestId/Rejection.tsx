import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { RejectedRequests } from "~/domain/request-log/shared";
import { LinkButton } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { momentText } from "~/ui/format";
import { Badge, DetailList, PageHeader, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { RejectionSentences } from "../../keys/RejectionText";
import { RejectedRows } from "../RejectedTable";
import type { RejectionView } from "../rejection.server";
import { Arithmetic } from "./Arithmetic";
import { RequestIdLine } from "./RequestIdLine";

/** A request that was rejected before a supplier was called: the reason, the arithmetic, and the one thing to do. */
export function Rejection({ view, address }: { view: RejectionView; address: string }) {
  const { t } = useTranslation("requestLog");
  const { burst, requestId } = view;
  return (
    <>
      <PageHeader
        title={t("page.rejection.title")}
        back={{ to: `${href("/dashboard/request-log")}?outcome=rejected`, label: t("title") }}
        sub={
          <>
            {burst === null ? null : (
              <>
                <DateTime at={burst.firstAt} /> ·{" "}
              </>
            )}
            <RequestIdLine id={requestId} address={address} />
          </>
        }
        tags={burst === null ? null : <Badge kind="bad">{t("page.rejection.tag", { status: burst.status })}</Badge>}
      />
      {burst === null ? <Around view={view} /> : <Known view={view} burst={burst} />}
    </>
  );
}

function Known({ view: { requestId, remedy, others }, burst }: { view: RejectionView; burst: RejectedRequests }) {
  const { t } = useTranslation(["requestLog", "getStarted"]);
  return (
    <>
      <div
        className="mb-3.5 grid gap-2 rounded-lg border border-bad bg-bad-soft px-3.5 py-3"
        data-rejected={burst.code}
      >
        <p className="max-w-text text-md">
          <RejectionSentences of={burst} />
        </p>
        {remedy === null ? null : (
          <>
            <p className="max-w-text">{t(`getStarted:rejected.do.${remedy.kind}`)}</p>
            <p>
              <LinkButton to={remedy.to} small kind="primary" document={!remedy.to.startsWith("/dashboard")}>
                {t(`getStarted:rejected.act.${remedy.kind}`)}
              </LinkButton>
            </p>
          </>
        )}
      </div>
      {burst.times > 1 ? <Burst of={burst} requestId={requestId} /> : null}
      <Arithmetic details={burst.details} />
      <Facts of={burst} />
      {others.length === 0 ? null : (
        <Section title={t("page.rejection.others")} flush>
          <RejectedRows rejected={others} timeZone="UTC" />
        </Section>
      )}
    </>
  );
}

/** Says that the request is one of several, and which one of them the page shows. */
function Burst({
  of: { times, firstAt, at, requestId: first },
  requestId,
}: {
  of: RejectedRequests;
  requestId: string;
}) {
  const { t } = useTranslation("requestLog");
  const { language } = useDocumentFacts();
  const [from, to] = [firstAt, at].map((moment) => momentText(new Date(moment), language));
  return (
    <p className="mb-3.5 max-w-text text-ink-2">
      {t("page.rejection.burst", { times, from, to })}{" "}
      {first === requestId ? (
        t("page.rejection.firstHere")
      ) : (
        <>
          {t("page.rejection.first")}{" "}
          <Link to={href("/dashboard/request-log/:requestId", { requestId: first })} className="mono link">
            {first}
          </Link>
        </>
      )}
    </p>
  );
}

function Facts({ of: burst }: { of: RejectedRequests }) {
  const { t } = useTranslation("requestLog");
  const { code, status, endpoint, model, keyId, keyName, userId, userName, param, retryAfterSeconds } = burst;
  const log = href("/dashboard/request-log");
  return (
    <Section title={t("page.rejection.facts")}>
      <DetailList
        rows={[
          [
            t("page.rejection.code"),
            <a key="code" href={`/api-docs/errors#${code}`} className="mono hover:text-accent">
              {code}
            </a>,
          ],
          [t("fact.status"), String(status)],
          [t("fact.endpoint"), <span key="endpoint" className="mono">{`/v1/${endpoint}`}</span>],
          [
            t("fact.asked"),
            model === "" ? (
              "–"
            ) : (
              <span key="model" className="mono">
                {model}
              </span>
            ),
          ],
          [
            t("fact.key"),
            <Link key="key" to={`/dashboard/keys/${keyId}#refusals`} className="hover:text-accent">
              {keyName}
            </Link>,
          ],
          ...(userId === null
            ? []
            : [
                [
                  t("col.user"),
                  <Link key="user" to={`${log}?outcome=rejected&user=${userId}`} className="hover:text-accent">
                    {userName}
                  </Link>,
                ] as const,
              ]),
          ...(param === null
            ? []
            : [
                [
                  t("page.rejection.field"),
                  <span key="param" className="mono">
                    {param}
                  </span>,
                ] as const,
              ]),
          ...(retryAfterSeconds === null
            ? []
            : [[t("page.rejection.retry"), t("page.rejection.seconds", { count: retryAfterSeconds })] as const]),
        ]}
      />
      <p className="mt-3 text-ink-2">{t("page.rejection.notSent")}</p>
    </Section>
  );
}

/** The bursts that could contain a request whose id is not stored. */
function Around({ view: { around } }: { view: RejectionView }) {
  const { t } = useTranslation("requestLog");
  return (
    <Section title={t("page.rejection.around")} flush>
      <p className="border-line border-b px-4 py-2.5 text-ink-2">{t("page.rejection.aroundText")}</p>
      <RejectedRows rejected={around} timeZone="UTC" />
    </Section>
  );
}
