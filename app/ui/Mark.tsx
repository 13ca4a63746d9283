/** The product's mark: half solid, half hatched, like the gauges of spent and held money. */
export function Mark() {
  return (
    <span aria-hidden="true" className="relative size-5 shrink-0 overflow-hidden rounded-sm bg-accent">
      <span className="mark-hatch absolute inset-y-0 right-0 w-1/2" />
    </span>
  );
}
