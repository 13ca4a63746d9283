/** A half-circle gauge from 0 to 1, such as a share of successes. */
export function Meter({ share, label, text }: { share: number; label: string; text: string }) {
  const part = Math.min(1, Math.max(0, share));
  const length = Math.PI * 40;
  return (
    <svg role="img" aria-label={`${label}: ${text}`} viewBox="0 0 100 58" className="block w-full max-w-40">
      <path d="M10 50a40 40 0 0 1 80 0" fill="none" stroke="var(--sunken)" strokeWidth="9" strokeLinecap="round" />
      <path
        d="M10 50a40 40 0 0 1 80 0"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="9"
        strokeLinecap="round"
        strokeDasharray={`${(length * part).toFixed(2)} ${length.toFixed(2)}`}
      />
      <text x="50" y="50" textAnchor="middle" className="donut-middle">
        {text}
      </text>
    </svg>
  );
}
