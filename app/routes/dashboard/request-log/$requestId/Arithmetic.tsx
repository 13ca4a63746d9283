import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorDetails } from "~/errors/app-error";
import { nanoUsdOf, type ShortageScope, shortageScopeOf } from "~/errors/shortage-words";
import { Money } from "~/ui/Figures";
import { Gauge } from "~/ui/Gauge";
import { Section } from "~/ui/page-parts";

/** The amounts of a rejection for lack of money, as its client received them. Renders nothing for other rejections. */
export function Arithmetic({ details }: { details: ErrorDetails | null }) {
  const { t } = useTranslation("requestLog");
  const scope = details === null ? null : shortageScopeOf(details);
  if (details === null || scope === null) return null;
  const maxCost = nanoUsd(details.max_cost);
  const left = nanoUsd(details.available);
  return (
    <Section title={t("page.rejection.arithmetic")} aside={t("page.rejection.at")}>
      <div className="grid max-w-form gap-3">
        <Limit details={details} scope={scope} />
        <dl className="grid gap-1.5">
          {left === null ? null : (
            <Line label={t("page.rejection.left")} strong>
              <Money nano={left} places={9} />
            </Line>
          )}
          <Line label={t("page.rejection.maxCost")} note={<Tokens details={details} />} strong>
            <Money nano={maxCost} places={9} />
          </Line>
          {left === null || maxCost === null ? null : (
            <Line label={t("page.rejection.missing")} strong>
              <b className="font-strong text-bad">
                <Money nano={maxCost - left} places={9} />
              </b>
            </Line>
          )}
          <Fits details={details} />
        </dl>
      </div>
    </Section>
  );
}

/** The limit, and the parts of it that are gone; nothing if the key may not know them. */
function Limit({ details, scope }: { details: ErrorDetails; scope: ShortageScope }) {
  const { t } = useTranslation(["requestLog", "ui"]);
  const [limit, spent, held] = [nanoUsd(details.limit), nanoUsd(details.spent), nanoUsd(details.held)];
  if (limit === null || spent === null || held === null) return null;
  const share = (part: bigint) => (limit <= 0n ? 0 : Number(part) / Number(limit));
  return (
    <>
      <dl className="grid gap-1.5">
        <Line label={t(`page.rejection.limit.${scope}`)}>
          <Money nano={limit} places={9} />
        </Line>
        {scope === "wallet" ? null : (
          <Line label={t("page.rejection.spent")} mark="bg-accent">
            − <Money nano={spent} places={9} />
          </Line>
        )}
        <Line label={t("page.rejection.held")} mark="hatch border border-line">
          − <Money nano={held} places={9} />
        </Line>
      </dl>
      <Gauge spent={share(spent)} held={share(held)} label={t(`page.rejection.limit.${scope}`)} />
    </>
  );
}

function Tokens({ details: { max_input_tokens: input, max_output_tokens: output } }: { details: ErrorDetails }) {
  const { t } = useTranslation("requestLog");
  if (typeof input !== "number" || typeof output !== "number") return null;
  return <span className="block text-ink-3">{t("page.rejection.maxTokens", { input, output })}</span>;
}

function Fits({ details: { max_tokens_that_fits: tokens, output_field: field } }: { details: ErrorDetails }) {
  const { t } = useTranslation("requestLog");
  if (typeof field !== "string" || tokens === undefined) return null;
  return (
    <Line label={t("page.rejection.fits")}>
      {typeof tokens === "number" ? (
        <span className="mono">{t("page.rejection.fitsTokens", { field, tokens })}</span>
      ) : (
        t("page.rejection.fitsNothing")
      )}
    </Line>
  );
}

type LineProps = { label: ReactNode; note?: ReactNode; mark?: string; strong?: boolean; children: ReactNode };

function Line({ label, note, mark, strong = false, children }: LineProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6">
      <dt className={strong ? "text-ink" : "text-ink-2"}>
        {mark === undefined ? null : (
          <span aria-hidden="true" className={`mr-2 inline-block size-dot rounded-xs ${mark}`} />
        )}
        {label}
        {note}
      </dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

const nanoUsd = (usd: unknown): bigint | null => (typeof usd === "number" ? BigInt(nanoUsdOf(usd)) : null);
