import type { ReactNode } from "react";

/** The beginning of a page: its name, one paragraph, and what one can do at once. */
export function PageIntro({ title, lead, children }: { title: string; lead: ReactNode; children?: ReactNode }) {
  return (
    <header className="pt-8 sm:pt-12">
      <h1 className="max-w-[20em] text-[34px] leading-[1.1] tracking-[-0.032em] sm:text-[42px]">{title}</h1>
      <p className="mt-4 max-w-[40em] text-[17px] text-ink-2 leading-[1.6]">{lead}</p>
      {children ? <div className="mt-6 flex flex-wrap gap-2">{children}</div> : null}
    </header>
  );
}
