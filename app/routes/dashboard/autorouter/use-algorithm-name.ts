import { useTranslation } from "react-i18next";
import { AUTOROUTER_CHOICES } from "~/domain/keys/shared";

/** Returns the display name of an algorithm; an unknown one from a request stays unchanged. */
export function useAlgorithmName(): (algorithm: string) => string {
  const { t } = useTranslation("autorouter");
  return (algorithm) => {
    const known = AUTOROUTER_CHOICES.find((choice) => choice === algorithm);
    return known === undefined ? algorithm || "–" : t(`choice.${known}`);
  };
}
