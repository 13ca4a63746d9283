import { CopyButton } from "~/ui/CopyButton";
import { dateFormat } from "~/ui/format";
import { amountOf, CAPABILITY_NOTES, type ShownModel, shownUnits, wholeNumber } from "../catalogue-view/shared";

/** A model: description, price and regions. */
export function ModelCard({ model, isShown }: { model: ShownModel; isShown: boolean }) {
  const units = shownUnits(model.capability, [model]);
  return (
    <article id={model.id} data-filter-entry hidden={!isShown} className="panel code-row scroll-mt-24 px-5 py-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="mono min-w-0 break-words font-semibold text-lg tracking-normal">{model.id}</h2>
        <CopyButton of={model.id} what={model.id} />
        <span className="tag bg-accent-soft text-accent">{CAPABILITY_NOTES[model.capability].name}</span>
        {model.tools ? <span className="tag bg-sunken text-ink-2">Tools</span> : null}
        {model.images ? <span className="tag bg-sunken text-ink-2">Images</span> : null}
        <StatedTags model={model} />
        <span className="text-ink-3 sm:ml-auto">by {model.ownedBy}</span>
      </header>
      <div className="mt-4 grid gap-x-10 gap-y-4 md:grid-cols-[minmax(0,1fr)_13rem]">
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          {model.contextTokens === null ? null : (
            <Amount name="Context" unit="tokens" value={wholeNumber(model.contextTokens)} />
          )}
          {model.maxOutputTokens === null ? null : (
            <Amount name="Longest answer" unit="tokens" value={wholeNumber(model.maxOutputTokens)} />
          )}
          {units.map(({ field, name, unit }) => (
            <Amount key={field} name={name} unit={`/ ${unit}`} value={amountOf(model, field, "en")} />
          ))}
        </dl>
        <div>
          <p className="text-sm text-ink-3">Served, in this order</p>
          <ul className="mt-1 grid gap-0.5">
            {model.routes.map(({ supplier, region, isDraining, keepsNothing }, index) => (
              <li key={`${supplier} ${region}`} className="flex flex-wrap items-center gap-x-2">
                <span className="w-4 text-ink-3 tabular-nums">{index + 1}</span>
                <span className="mono">{supplier}</span>
                <span className="tag border border-line text-ink-2">{region}</span>
                {keepsNothing ? (
                  <span
                    className="tag bg-accent-soft text-accent"
                    title="This supplier keeps nothing of what it is sent, as the operator states."
                  >
                    ZDR
                  </span>
                ) : null}
                {isDraining ? <span className="text-sm text-ink-3">draining</span> : null}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </article>
  );
}

/** Lifecycle and data retention of a model, as stated in the catalogue. */
function StatedTags({ model: { zeroDataRetention, lifecycle, retiresAt } }: { model: ShownModel }) {
  const isGone = retiresAt !== null && retiresAt <= new Date();
  return (
    <>
      {zeroDataRetention === "none" ? null : (
        <span
          className="tag bg-accent-soft text-accent"
          title={`${zeroDataRetention === "all" ? "Every supplier" : "At least one supplier"} of this model keeps nothing of what it is sent, as the operator states.`}
        >
          Zero data retention
        </span>
      )}
      {lifecycle === null ? null : (
        <span className={lifecycle === "preview" ? "tag bg-sunken text-ink-2" : "tag bg-held-soft text-held-ink"}>
          {lifecycle === "preview" ? "Preview" : "Deprecated"}
        </span>
      )}
      {retiresAt === null ? null : (
        <span className={isGone ? "tag bg-bad-soft text-bad" : "tag bg-held-soft text-held-ink"}>
          {`${isGone ? "Retired" : "Retires"} on ${dateFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(retiresAt)}`}
        </span>
      )}
    </>
  );
}

function Amount({ name, unit, value }: { name: string; unit: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{name}</dt>
      <dd>
        <span className="mono text-base">{value}</span> <span className="text-sm text-ink-3">{unit}</span>
      </dd>
    </div>
  );
}
