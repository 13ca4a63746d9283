import { useTranslation } from "react-i18next";
import type { RequestDetail } from "~/domain/request-log/shared";
import { durationText } from "~/ui/format";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { explain } from "./explain";

/** One sentence: what took the request's time, or why it has no complete answer. */
export function Explained({ request }: { request: RequestDetail }) {
  const { t } = useTranslation("requestLog");
  const { language } = useDocumentFacts();
  const { sentence, times, values } = explain(request);
  const other = t("page.otherSupplier");
  const told = Object.entries(times).map(([name, ms]) => [name, durationText(Math.max(0, ms), language)]);
  return (
    <p className="mb-3.5 max-w-text text-md" data-explained={sentence}>
      {t(`page.explain.${sentence as "failover"}`, {
        count: 1,
        ...values,
        ...Object.fromEntries(told),
        supplier: values.supplier || other,
        failed: values.failed || other,
      })}
    </p>
  );
}
