import { useId } from "react";

/** A bar of shares from 0 to 1: the spent share is solid, the held share hatched. Drawn without inline styles. */
export function Gauge({ spent, held, label }: { spent: number; held: number; label: string }) {
  const hatch = useId();
  const spentShare = share(spent);
  const heldShare = Math.min(share(held), 1 - spentShare);
  return (
    <svg role="img" aria-label={label} height="11" className="block w-full rounded-full border border-line bg-sunken">
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" fill="var(--held-soft)" />
        <rect width="1.6" height="5" fill="var(--held)" />
      </pattern>
      <rect width={percent(spentShare)} height="11" fill="var(--accent)" />
      <rect x={percent(spentShare)} width={percent(heldShare)} height="11" fill={`url(#${hatch})`} />
    </svg>
  );
}

const share = (part: number) => Math.min(Math.max(part, 0), 1);
const percent = (part: number) => `${(part * 100).toFixed(2)}%`;
