import type { ReactNode } from "react";

/** The start of a page: title, one paragraph and action links. */
export function PageIntro({ title, lead, children }: { title: string; lead: ReactNode; children?: ReactNode }) {
  return (
    <header className="pt-8 sm:pt-12">
      <h1 className="max-w-[20em] text-7xl sm:text-9xl">{title}</h1>
      <p className="mt-4 max-w-[40em] text-xl text-ink-2 leading-[1.6]">{lead}</p>
      {children ? <div className="mt-6 flex flex-wrap gap-2">{children}</div> : null}
    </header>
  );
}
