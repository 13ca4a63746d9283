import { useTranslation } from "react-i18next";

/** Copies a text, or the content of the element that `of` names as `#id`. Visible only while the page's script runs. */
export function CopyButton({ of, what }: { of: string; what: string }) {
  const { t } = useTranslation("ui");
  return (
    <button
      type="button"
      data-copy={of}
      data-label={t("copy")}
      data-copied-label={t("copied")}
      aria-label={t("copyWhat", { what })}
      className="copy-button"
    />
  );
}
