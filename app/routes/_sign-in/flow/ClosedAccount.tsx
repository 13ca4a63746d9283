import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { SignInFrame } from "./SignInFrame";

type Props = { kind: "suspended" | "archived"; brand: string; contact: string | null; signedIn: boolean };

/** The reason why an account is closed, the consequences, and a contact. */
export function ClosedAccount({ kind, brand, contact, signedIn }: Props) {
  const { t } = useTranslation("signIn");
  return (
    <SignInFrame title={t(`${kind}.title`)} brand={brand} lead={t(`${kind}.text`)}>
      <ul className="mt-6 grid gap-2.5 text-ink-2">
        {([1, 2, 3] as const).map((point) => (
          <li key={point} className="flex gap-3">
            <span aria-hidden="true" className="mt-[0.68em] h-px w-3 shrink-0 bg-ink-3" />
            {t(`${kind}.point${point}`)}
          </li>
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap gap-2.5">
        {contact ? (
          <a href={`mailto:${contact}`} className="button button-primary">
            {t("closed.write")}
          </a>
        ) : null}
        {signedIn ? (
          <form method="post" action={href("/logout")}>
            <Button>{t("terms.signOut")}</Button>
          </form>
        ) : (
          <a href={href("/login")} className="button">
            {t("closed.other")}
          </a>
        )}
      </div>
    </SignInFrame>
  );
}
