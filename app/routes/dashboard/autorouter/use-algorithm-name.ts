import { useTranslation } from "react-i18next";
import { AUTOROUTER_CHOICES } from "~/domain/keys/shared";

/** What an algorithm is called on screen. One that a request named and nobody knows stands as it is. */
export function useAlgorithmName(): (algorithm: string) => string {
  const { t } = useTranslation("autorouter");
  return (algorithm) => {
    const known = AUTOROUTER_CHOICES.find((choice) => choice === algorithm);
    return known === undefined ? algorithm || "–" : t(`choice.${known}`);
  };
}
