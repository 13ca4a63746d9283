import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { dateFormat, moneyText, percentText, relativeText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { SINCE } from "../keys/KeyStatusBadge";
import { shareOf } from "./share";
import type { OverviewView } from "./view.server";

const NEAR = 0.8;
/** Minimum number of requests for a meaningful error rate. */
const MIN_COUNT = 20;
const MANY_ERRORS = 0.05;

/** Issues that need attention; renders nothing if there are none. */
export function Alerts({ view }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const lines = useLines(view);
  if (lines.length === 0) return null;
  return (
    <Section title={t("alerts.title")}>
      <ul className="grid gap-2">
        {lines.map(({ id, text, to, bad }) => (
          <li key={id} className="grid grid-cols-[auto_1fr] gap-2.5">
            <TriangleAlert size={16} aria-hidden="true" className={bad ? "mt-0.5 text-bad" : "mt-0.5 text-held"} />
            {to === undefined ? (
              <span>{text}</span>
            ) : (
              <Link to={to} className="hover:text-accent">
                {text}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

type Line = { id: string; text: ReactNode; to?: string; bad?: boolean };

function useLines({
  budgets,
  expiring,
  lanes,
  usage,
  askedToPay,
  canSpend,
  hasFree,
  outOfMoney,
}: OverviewView): Line[] {
  const { t } = useTranslation("dashboard");
  const { language } = useDocumentFacts();
  const when = (at: Date) => relativeText(new Date(at), new Date(), language);
  const stopped = outOfMoney.map(({ keyId, name, code, since, rejections: rejected, tooSmall }): Line => {
    const text = t(`alerts.outOfMoney.${tooSmall === null ? code : "too_small"}`, {
      name,
      since: dateFormat(language, SINCE).format(new Date(since)),
      rejected,
      amount: moneyText(tooSmall?.maxCostNanoUsd ?? 0n, language),
    });
    return {
      id: `out-${keyId}`,
      text,
      bad: true,
      to: tooSmall === null ? `/dashboard/keys/${keyId}#refusals` : `/dashboard/budgets?edit=key-${keyId}`,
    };
  });
  const filling = budgets.flatMap(({ scope, id, name, budget }): Line[] => {
    const share = shareOf(budget.spentNanoUsd, budget.limitNanoUsd);
    // A key that is out of money already has its own line.
    if (share < NEAR || (scope === "key" && outOfMoney.some(({ keyId }) => keyId === id))) return [];
    const called = scope === "key" ? name : t(`budgets.scope.${scope}`);
    const text =
      share >= 1
        ? t("alerts.budgetFull", { name: called, when: when(budget.resetsAt) })
        : t("alerts.budgetNear", { name: called, share: percentText(share, language) });
    return [{ id: `${scope}-${id}`, text, bad: share >= 1, to: scope === "key" ? `/dashboard/keys/${id}` : undefined }];
  });
  const lines = [...stopped, ...filling];
  if (!canSpend)
    lines.unshift({ id: "funds", text: t(hasFree ? "alerts.noFundsSandbox" : "alerts.noFunds"), bad: true });
  if (askedToPay !== null) {
    const text = t("alerts.payer", { organisation: askedToPay });
    lines.unshift({ id: "payer", text, to: "/dashboard/settings#payer" });
  }
  for (const key of expiring) {
    const text = t("alerts.expiring", { name: key.name, when: when(key.expiresAt) });
    lines.push({ id: `expiring-${key.id}`, text, to: `/dashboard/keys/${key.id}` });
  }
  const { errors, requests } = usage.figures;
  if (requests.now >= MIN_COUNT && errors.now >= MANY_ERRORS) {
    lines.push({ id: "errors", text: t("alerts.errors", { share: percentText(errors.now, language) }), bad: true });
  }
  for (const lane of lanes) {
    lines.push({ id: `lane-${lane.model}-${lane.supplier}-${lane.region}`, text: t("alerts.lane", lane), bad: true });
  }
  return lines;
}
