import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { moneyText } from "~/ui/format";
import type { Calculation } from "./calculate.server";

/** A cost calculator for requests. A GET form, so the result has a URL. */
export function Calculator({ calculation: { model, models, fields, result } }: { calculation: Calculation }) {
  const { t } = useTranslation("prices");
  if (result === null) return null;
  return (
    <div className="panel grid md:grid-cols-2">
      <form action={`${href("/pricing")}#calculator`} className="grid content-start gap-4 p-5">
        <label className="grid gap-1.5">
          <span className="font-strong">{t("model")}</span>
          <select name="model" defaultValue={model} className="field mono">
            {models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <div className="grid grid-cols-2 items-end gap-4">
          {fields.map(({ name, value, maximum }) => (
            <label key={`${model}-${name}`} className="grid min-w-0 gap-1.5">
              <span className="font-strong">{t(`fields.${name}`)}</span>
              <input
                type="number"
                name={name}
                min={0}
                max={maximum}
                step={1}
                defaultValue={value}
                className="field mono"
              />
            </label>
          ))}
        </div>
        <p>
          <button type="submit" className="button button-primary">
            {t("calculate")}
          </button>
        </p>
      </form>
      <Result result={result} />
    </div>
  );
}

function Result({ result }: { result: NonNullable<Calculation["result"]> }) {
  const { t, i18n } = useTranslation("prices");
  const usd = (nano: bigint) => moneyText(nano, i18n.language);
  return (
    <div className="border-line border-t p-5 md:border-t-0 md:border-l">
      <dl>
        {result.lines.map(({ part, count, nanoUsd }) => (
          <div key={part} className="flex justify-between gap-4 border-line border-b border-dashed py-1.5">
            <dt>{t(`parts.${part}`, { amount: count })}</dt>
            <dd className="mono">{moneyText(nanoUsd, i18n.language, 9)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 py-1.5 font-semibold">
          <dt>{t("oneRequest")}</dt>
          <dd className="mono">{moneyText(result.each, i18n.language, 9)}</dd>
        </div>
      </dl>
      <dl className="mt-5 grid grid-cols-2 gap-4">
        <div>
          <dt className="text-ink-2">{t("aDay")}</dt>
          <dd className="break-words text-figure tabular-nums tracking-tighter">{usd(result.day)}</dd>
        </div>
        <div>
          <dt className="text-ink-2">{t("thirtyDays")}</dt>
          <dd className="break-words font-semibold text-figure text-accent tabular-nums tracking-tighter">
            {usd(result.month)}
          </dd>
        </div>
      </dl>
    </div>
  );
}
