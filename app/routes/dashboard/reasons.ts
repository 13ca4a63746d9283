import { useTranslation } from "react-i18next";

/**
 * Returns a function that describes a rejection or failure in the reader's language, by the code that the client got.
 * Codes unknown to gw come from suppliers.
 */
export function useReasons(): (code: string) => string {
  const { t, i18n } = useTranslation("reasons");
  const say = t as (key: string) => string;
  return (code) => (i18n.exists(`reasons:code.${code}`) ? say(`code.${code}`) : t("suppliersOwn"));
}
