import { useTranslation } from "react-i18next";

/** Tells people that their organisation stores what they ask and what they are answered; nothing where it does not. */
export function StoredNote({ days }: { days: number | null }) {
  const { t } = useTranslation("conversations");
  if (days === null) return null;
  return (
    <p role="note" className="mb-3 rounded-lg bg-info-soft px-3.5 py-2.5 text-info">
      {t("note", { count: days })}
    </p>
  );
}
