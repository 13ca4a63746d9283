import { useTranslation } from "react-i18next";

/** Informs people that their organisation stores requests and answers; renders nothing if it does not. */
export function StoredNote({ days }: { days: number | null }) {
  const { t } = useTranslation("conversations");
  if (days === null) return null;
  return (
    <p role="note" className="mb-3 rounded-lg bg-info-soft px-3.5 py-2.5 text-info">
      {t("note", { count: days })}
    </p>
  );
}
