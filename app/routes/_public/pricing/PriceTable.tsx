import { useTranslation } from "react-i18next";
import type { Capability } from "~/domain/catalogue/shared";
import { wholeText } from "~/ui/format";
import { amountOf, CAPABILITY_NOTES, type ShownModel, shownUnits } from "../catalogue-view/shared";
import { ScrollRegion } from "../parts/ScrollRegion";

/** The prices of models of one capability; renders nothing if there are none. */
export function PriceTable({ capability, models }: { capability: Capability; models: readonly ShownModel[] }) {
  const { t, i18n } = useTranslation("prices");
  if (models.length === 0) return null;
  const name = t(`capabilities.${capability}`);
  const { endpoint } = CAPABILITY_NOTES[capability];
  const units = shownUnits(capability, models);
  const hasContext = models.some(({ contextTokens }) => contextTokens !== null);
  return (
    <section className="mt-12" aria-labelledby={`prices-${capability}`}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={`prices-${capability}`} className="text-3xl">
          {name}
        </h2>
        <p className="mono text-sm text-ink-3">{endpoint}</p>
      </div>
      <ScrollRegion name={t("pricesOf", { name })}>
        <table className="data-table price-cards">
          <thead>
            <tr>
              <th scope="col">{t("model")}</th>
              {hasContext ? (
                <th scope="col" className="amount">
                  {t("context")}
                  <span className="block">{t("tokens")}</span>
                </th>
              ) : null}
              {units.map((unit) => (
                <th key={unit.field} scope="col" className="amount">
                  {t(`units.${unit.field}.name`)}
                  <span className="block">{t(`units.${unit.field}.unit`)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={model.id}>
                <th scope="row" className="!text-ink !text-[14.5px] !align-middle">
                  <a href={`/models-public#${model.id}`} className="mono font-medium hover:text-accent">
                    {model.id}
                  </a>
                </th>
                {hasContext ? (
                  <td className="amount text-ink-2" data-label={`${t("context")} ${t("tokens")}`}>
                    {model.contextTokens === null ? "–" : wholeText(model.contextTokens, i18n.language)}
                  </td>
                ) : null}
                {units.map(({ field }) => (
                  <td
                    key={field}
                    className="amount mono"
                    data-label={`${t(`units.${field}.name`)}, ${t(`units.${field}.unit`)}`}
                  >
                    {amountOf(model, field, i18n.language)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
