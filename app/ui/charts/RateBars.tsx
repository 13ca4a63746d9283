/** Sixty small bars, one for each second of the last minute; the newest is at the right. */
export function RateBars({ label, counts }: { label: string; counts: readonly number[] }) {
  const maximum = Math.max(1, ...counts);
  const step = 400 / Math.max(1, counts.length);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 400 46"
      preserveAspectRatio="none"
      className="block h-[46px] w-full"
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(3, (count / maximum) * 44);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the second
            key={index}
            x={index * step}
            y={46 - height}
            width={step * 0.72}
            height={height}
            rx="1"
            fill={count === 0 ? "var(--line)" : "var(--s1)"}
            opacity={index >= counts.length - 3 ? 1 : 0.6}
          />
        );
      })}
    </svg>
  );
}
