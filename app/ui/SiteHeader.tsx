import { href } from "react-router";

/** The bar above every public page. */
export function SiteHeader() {
  return (
    <header className="mx-auto flex w-full max-w-[1120px] items-center justify-between px-5 py-5 sm:px-7">
      <a href={href("/")} className="flex items-center gap-2 font-[650] text-[17px] tracking-[-0.01em]">
        <Mark />
        gw
      </a>
      <nav aria-label="Site" className="flex gap-5 text-ink-2">
        <a href={href("/api-docs/errors")} className="hover:text-ink">
          Error codes
        </a>
      </nav>
    </header>
  );
}

function Mark() {
  return (
    <span aria-hidden="true" className="relative size-5 overflow-hidden rounded-[5px] bg-accent">
      <span className="mark-hatch absolute inset-y-0 right-0 w-1/2" />
    </span>
  );
}
