import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { Count, RelativeTime } from "~/ui/Figures";
import { PayerReason } from "~/ui/PayerReason";
import { DetailList, Section } from "~/ui/page-parts";
import { RegionLock } from "~/ui/RegionLock";
import { isOneOf } from "~/values/one-of";
import { useReasons } from "../../reasons";
import type { RequestView } from "../view.server";

/** Facts about the request and its answer, without their contents. */
export function Facts({ view: { request, batchId, mayOpenBatch, mayTryAgain } }: { view: RequestView }) {
  const { t } = useTranslation("requestLog");
  const reasonOf = useReasons();
  const log = href("/dashboard/request-log");
  const link = (name: string, value: string | number, text: string) => (
    <Link to={`${log}?${new URLSearchParams({ [name]: String(value) })}`} className="hover:text-accent">
      {text}
    </Link>
  );
  const { sessionId, userId, userName, departmentName, projectName } = request;
  return (
    <Section title={t("detail.title")}>
      <DetailList
        rows={[
          [t("fact.endpoint"), <span key="endpoint" className="mono">{`/v1/${request.endpoint}`}</span>],
          [
            t("fact.asked"),
            <span key="asked" className="mono">
              {request.requestedModel}
            </span>,
          ],
          [t("fact.served"), request.model === "" ? "–" : link("model", request.model, request.model)],
          [
            t("fact.supplier"),
            <span key="supplier">
              {request.supplier === "" ? "–" : `${request.supplier} · ${request.region}`}{" "}
              {request.lockedTo === null ? null : <RegionLock to={request.lockedTo} />}
            </span>,
          ],
          [t("fact.stream"), request.stream ? t("yes") : t("no")],
          [t("fact.status"), request.status === 0 ? "–" : String(request.status)],
          ...(request.errorCode === null
            ? []
            : [
                [
                  t("filter.code"),
                  <span key="code">
                    <a href={`/api-docs/errors#${request.errorCode}`} className="mono hover:text-accent">
                      {request.errorCode}
                    </a>
                    <span className="block text-ink-2">{reasonOf(request.errorCode)}</span>
                  </span>,
                ] as const,
              ]),
          [
            t("fact.key"),
            <Link key="key" to={`/dashboard/keys/${request.keyId}`} className="hover:text-accent">
              {request.keyName}
            </Link>,
          ],
          ...(userId === null ? [] : [[t("col.user"), link("user", userId, userName ?? `#${userId}`)] as const]),
          ...(departmentName === null ? [] : [[t("fact.department"), departmentName] as const]),
          ...(projectName === null ? [] : [[t("fact.project"), projectName] as const]),
          [
            t("fact.payer"),
            <span key="payer">
              {request.payer.name ?? "–"}
              <PayerReason
                reason={request.notCharged === "sandbox" ? "sandbox" : request.payer.reason}
                exempt={request.notCharged === "exempt"}
              />
            </span>,
          ],
          ...(sessionId === null ? [] : [[t("filter.session"), link("session", sessionId, sessionId)] as const]),
          ...(batchId === null
            ? []
            : [
                [
                  t("fact.batch"),
                  mayOpenBatch ? (
                    <Link
                      key="batch"
                      to={href("/dashboard/batches/:batchId", { batchId })}
                      className="mono hover:text-accent"
                    >
                      {batchId}
                    </Link>
                  ) : (
                    <span key="batch" className="mono">
                      {batchId}
                    </span>
                  ),
                ] as const,
              ]),
          [t("fact.cached"), <Count key="cached" value={request.cachedInputTokens} />],
          [t("fact.reasoning"), <Count key="reasoning" value={request.reasoningTokens} />],
          [t("fact.counted"), isSource(request.tokenSource) ? t(`source.${request.tokenSource}`) : request.tokenSource],
          [t("fact.settled"), <RelativeTime key="settled" at={request.settledAt} />],
          [t("fact.contents"), t(mayTryAgain ? "fact.stored" : "fact.notStored")],
        ]}
      />
    </Section>
  );
}

const SOURCES = ["supplier", "checkpoint", "estimated"] as const;
const isSource = isOneOf(SOURCES);
