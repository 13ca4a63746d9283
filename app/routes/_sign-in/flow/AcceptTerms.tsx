import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";

/** The checkbox that accepts the documents, with a link to each. `accepted`: it was checked in the rejected form. */
export function AcceptTerms(props: { problem?: string; accepted?: boolean; autoFocus?: boolean }) {
  const { problem, accepted = false, ...focus } = props;
  const { t } = useTranslation("signIn");
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start gap-2.5">
        <input
          id="accept_terms"
          name="accept_terms"
          type="checkbox"
          required
          {...focus}
          defaultChecked={accepted}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? "accept_terms-problem" : undefined}
          className="mt-[3px] size-[18px] shrink-0 accent-accent"
        />
        <label htmlFor="accept_terms" className="text-ink-2">
          <Trans
            t={t}
            i18nKey="signUp.accept"
            components={{
              terms: <LegalLink name="terms" />,
              aup: <LegalLink name="aup" />,
              privacy: <LegalLink name="privacy" />,
            }}
          />
        </label>
      </div>
      {problem ? (
        <p id="accept_terms-problem" className="text-ui text-bad">
          {problem}
        </p>
      ) : null}
    </div>
  );
}

/** The translation around the link supplies its text. */
function LegalLink({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <a href={`/legal/${name}`} target="_blank" rel="noreferrer" className="link">
      {children}
    </a>
  );
}
