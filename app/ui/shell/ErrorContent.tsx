import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { ErrorPageText } from "./error-page-text";

/** The content of an error page, independent of its frame: the error in plain words, and links to continue. */
export function ErrorContent({ status, title, text, code, signedIn }: ErrorPageText & { signedIn: boolean }) {
  const { t } = useTranslation("ui");
  return (
    <div className="grid max-w-note gap-5">
      <p className="flex items-center gap-3 text-ink-3">
        <span aria-hidden="true" className="hatch h-[10px] w-14 rounded-full border border-line" />
        <span className="mono">{code ? `${status} ${code}` : status}</span>
      </p>
      <h1 className="text-[32px] leading-[1.12] tracking-[-0.03em] sm:text-8xl">{title}</h1>
      <p className="text-xl text-ink-2">{text}</p>
      <p className="flex flex-wrap gap-2 pt-2">
        <a href={signedIn ? href("/dashboard") : href("/")} className="button button-primary">
          {signedIn ? t("errorPage.dashboard") : t("errorPage.home")}
        </a>
        <a href={code ? `${href("/api-docs/errors")}#${code}` : href("/api-docs/errors")} className="button">
          {code ? t("errorPage.about") : t("errorPage.codes")}
        </a>
      </p>
    </div>
  );
}
