import type { ReactNode } from "react";

/** A part of a page: title and introduction on the left, content on the right. */
export function Band({
  id,
  title,
  text,
  children,
}: {
  id?: string;
  title: string;
  text?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      className="mt-16 grid gap-x-14 gap-y-6 border-line border-t pt-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
    >
      <div>
        <h2 className="text-4xl leading-title">{title}</h2>
        {text ? <div className="mt-3 grid max-w-[32em] gap-3 text-ink-2">{text}</div> : null}
      </div>
      <div className="grid min-w-0 content-start gap-4">{children}</div>
    </section>
  );
}
