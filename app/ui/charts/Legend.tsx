import { colourOf } from "./scale";

/** Names of the colours; `held` adds the hatched one. `colours`: custom colours by index, as in the series. */
export function Legend({
  names,
  colours,
  held,
}: {
  names: readonly string[];
  colours?: readonly (string | undefined)[];
  held?: string;
}) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
      {names.map((name, index) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <svg width="9" height="9" aria-hidden="true">
            <rect width="9" height="9" rx="2" fill={colours?.[index] ?? colourOf(index)} />
          </svg>
          {name}
        </li>
      ))}
      {held ? (
        <li className="inline-flex items-center gap-1.5">
          <i aria-hidden="true" className="hatch inline-block size-dot rounded-xs" />
          {held}
        </li>
      ) : null}
    </ul>
  );
}
