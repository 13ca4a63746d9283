import type { ReactNode } from "react";
import type { ModelsToTry } from "./models-to-try";

export type GuideFacts = { baseUrl: string; models: ModelsToTry };

/** One step of the guide. Its text stands above its examples. */
export function GuideSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className="guide-section grid min-w-0 gap-4">
      <h2 className="text-5xl leading-title">
        <a href={`#${id}`}>{title}</a>
      </h2>
      {children}
    </section>
  );
}

/** A paragraph of a page that is read from top to bottom. */
export function Text({ children }: { children: ReactNode }) {
  return <p className="text-lg text-ink-2 leading-relaxed">{children}</p>;
}

/** Something inside a text that is typed as it stands. */
export function Code({ children }: { children: ReactNode }) {
  return <code className="mono rounded bg-sunken px-1 py-px text-ink">{children}</code>;
}
