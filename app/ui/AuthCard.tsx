import type { ReactNode } from "react";

/** The frame of pages on which people sign in, sign up, or prove something. Stands inside `PublicPage`. */
export function AuthCard({
  title,
  sub,
  children,
  foot,
}: {
  title: ReactNode;
  sub?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <div className="mx-auto w-full max-w-form pt-8 sm:pt-14">
      <h1 className="text-[27px] leading-tight">{title}</h1>
      {sub ? <div className="mt-2 text-ink-2">{sub}</div> : null}
      <div className="panel receipt mt-6 grid gap-4 p-5 sm:p-6">{children}</div>
      {foot ? <div className="mt-5 text-center text-ink-2">{foot}</div> : null}
    </div>
  );
}
