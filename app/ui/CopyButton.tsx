import { useTranslation } from "react-i18next";

/**
 * Copies a text, or the content of the element that `of` names as `#id`. Visible only while the page's script runs.
 * `label`: text of the button instead of "Copy".
 */
export function CopyButton({ of, what, label }: { of: string; what: string; label?: string }) {
  const { t } = useTranslation("ui");
  return (
    <button
      type="button"
      data-copy={of}
      data-label={label ?? t("copy")}
      data-copied-label={t("copied")}
      aria-label={label ?? t("copyWhat", { what })}
      className="copy-button"
    />
  );
}
