import type { ReactNode } from "react";

export type Fact = { name: string; text: ReactNode };

/** Facts separated by hairlines, in two columns if there is room. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="panel grid overflow-hidden sm:grid-cols-2">
      {facts.map(({ name, text }) => (
        <div key={name} className="-mr-px -mb-px border-line border-r border-b px-5 py-4 sm:last:odd:col-span-2">
          <dt className="font-semibold">{name}</dt>
          <dd className="mt-1 text-ink-2">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
