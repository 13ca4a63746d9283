import { useTranslation } from "react-i18next";
import { CopyButton } from "~/ui/CopyButton";

/** The id of a request, with buttons that copy it and the address of its page. */
export function RequestIdLine({ id, address }: { id: string; address: string }) {
  const { t } = useTranslation("requestLog");
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1">
      <span className="mono truncate" title={id}>
        {id}
      </span>
      <CopyButton of={id} what={t("filter.request")} label={t("page.copyId")} />
      <CopyButton of={address} what={address} label={t("page.copyLink")} />
    </span>
  );
}
