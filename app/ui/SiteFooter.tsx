import { href } from "react-router";
import { ThemeChoice } from "./ThemeChoice";

/** The bar below every public page. */
export function SiteFooter() {
  return (
    <footer className="mt-auto border-line border-t">
      <div className="mx-auto flex w-full max-w-[1120px] flex-wrap items-center justify-between gap-x-6 gap-y-4 px-5 py-6 text-[13.5px] text-ink-3 sm:px-7">
        <p className="flex flex-wrap gap-x-5 gap-y-1">
          <a href={href("/api-docs/errors")} className="hover:text-ink">
            Error codes
          </a>
          <a href={href("/error-codes.json")} className="hover:text-ink">
            The same as JSON
          </a>
          <a href={href("/health")} className="hover:text-ink">
            Health
          </a>
        </p>
        <ThemeChoice />
      </div>
    </footer>
  );
}
