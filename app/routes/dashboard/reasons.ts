import { useTranslation } from "react-i18next";

/**
 * Says in the reader's language why a request was rejected or failed, by the code that its client got. Codes that gw does not know are
 * passed on from suppliers.
 */
export function useReasons(): (code: string) => string {
  const { t, i18n } = useTranslation("reasons");
  const say = t as (key: string) => string;
  return (code) => (i18n.exists(`reasons:code.${code}`) ? say(`code.${code}`) : t("suppliersOwn"));
}
