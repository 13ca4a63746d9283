/** The SVG pattern for held money. */
export function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="5" height="5" fill="var(--held-soft)" />
      <rect width="1.6" height="5" fill="var(--held)" />
    </pattern>
  );
}
