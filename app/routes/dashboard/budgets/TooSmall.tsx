import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Button } from "~/ui/Button";
import { moneyText } from "~/ui/format";
import { useDocumentFacts } from "~/ui/shell/document-context";

/**
 * Says that a key's budget is too small for one request, and what helps: a higher limit, or shorter answers, which is the
 * setting "If the budget is short" of the key. `raise`: where the limit is changed; null: the reader may not.
 */
export function TooSmall({
  keyId,
  maxCostNanoUsd,
  raise,
  mayShorten,
}: {
  keyId: number;
  maxCostNanoUsd: bigint;
  raise: string | null;
  mayShorten: boolean;
}) {
  const { t } = useTranslation("budgetTree");
  const { language } = useDocumentFacts();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 whitespace-normal text-held-ink text-xs">
      <span>{t("tooSmall", { amount: moneyText(maxCostNanoUsd, language) })}</span>
      {raise === null ? null : (
        <Link to={raise} className="link">
          {t("raise")}
        </Link>
      )}
      {mayShorten ? (
        <form method="post" action={`/dashboard/keys/${keyId}`}>
          <input type="hidden" name="intent" value="update" />
          <input type="hidden" name="fit_output" value="true" />
          <Button small>{t("shorten")}</Button>
        </form>
      ) : null}
    </div>
  );
}
