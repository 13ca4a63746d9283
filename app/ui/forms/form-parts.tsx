import type { ReactNode } from "react";
import { classNames } from "../class-names";

/** Fields in one column; `wide` uses two columns if there is room. */
export function FormStack({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return <div className={classNames("grid gap-4", wide ? "sm:grid-cols-2" : "max-w-note")}>{children}</div>;
}

/** The buttons at the end of a form. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2.5 pt-1">{children}</div>;
}

/** An error of the whole form; screen readers announce it. */
export function FormProblem({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className="rounded-lg border border-bad/40 bg-bad-soft px-3.5 py-2.5 text-bad">
      {text}
    </p>
  );
}
