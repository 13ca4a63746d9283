const WIDTH = 900;
const HEIGHT = 34;

/** A bar for each day, the newest on the right. Days without data are pale; bad days are also marked by height. */
export function UptimeBars({ days, label }: { days: readonly (number | null)[]; label: string }) {
  const step = WIDTH / days.length;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-[34px] w-full"
    >
      {days.map((share, index) => {
        const height = share === null || share >= GOOD ? HEIGHT : share >= FAIR ? HEIGHT * 0.75 : HEIGHT * 0.5;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the day
            key={index}
            x={index * step}
            y={HEIGHT - height}
            width={step * 0.7}
            height={height}
            rx="1.5"
            fill={
              share === null
                ? "var(--line)"
                : share >= GOOD
                  ? "var(--s1)"
                  : share >= FAIR
                    ? "var(--held)"
                    : "var(--bad)"
            }
          />
        );
      })}
    </svg>
  );
}

const GOOD = 0.99;
const FAIR = 0.95;
