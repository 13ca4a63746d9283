import { Band } from "../parts/Band";
import type { Calculation } from "./calculate.server";

/** What requests of a kind cost. A form that asks by its address: the sum can be kept as a link. */
export function Calculator({ calculation: { model, models, fields, result } }: { calculation: Calculation }) {
  if (result === null) return null;
  return (
    <Band
      id="calculator"
      title="Calculator"
      text={
        <p>
          One kind of request, every day for 30 days, at the price of the model’s first route. The address keeps what
          you enter.
        </p>
      }
    >
      <div className="panel grid md:grid-cols-2">
        <form action="/pricing#calculator" className="grid content-start gap-4 p-5">
          <label className="grid gap-1.5">
            <span className="font-strong">Model</span>
            <select name="model" defaultValue={model} className="field mono">
              {models.map((id) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          </label>
          <div className="grid grid-cols-2 items-end gap-4">
            {fields.map(({ name, label, value, most }) => (
              <label key={`${model}-${name}`} className="grid min-w-0 gap-1.5">
                <span className="font-strong">{label}</span>
                <input
                  type="number"
                  name={name}
                  min={0}
                  max={most}
                  step={1}
                  defaultValue={value}
                  className="field mono"
                />
              </label>
            ))}
          </div>
          <p>
            <button type="submit" className="button button-primary">
              Calculate
            </button>
          </p>
        </form>
        <Result result={result} />
      </div>
    </Band>
  );
}

function Result({ result }: { result: NonNullable<Calculation["result"]> }) {
  return (
    <div className="border-line border-t p-5 md:border-t-0 md:border-l">
      <dl>
        {result.lines.map(({ name, amount }) => (
          <div key={name} className="flex justify-between gap-4 border-line border-b border-dashed py-1.5">
            <dt>{name}</dt>
            <dd className="mono">{amount}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 py-1.5 font-semibold">
          <dt>One request</dt>
          <dd className="mono">${result.each}</dd>
        </div>
      </dl>
      <dl className="mt-5 grid grid-cols-2 gap-4">
        <div>
          <dt className="text-ink-2">A day</dt>
          <dd className="break-words text-figure tabular-nums tracking-tighter">${result.day}</dd>
        </div>
        <div>
          <dt className="text-ink-2">30 days</dt>
          <dd className="break-words font-semibold text-figure text-accent tabular-nums tracking-tighter">
            ${result.month}
          </dd>
        </div>
      </dl>
    </div>
  );
}
