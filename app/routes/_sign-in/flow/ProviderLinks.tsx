import { useTranslation } from "react-i18next";

type Offered = readonly { provider: string; label: string }[];

/** The other ways to sign in. Plain links, so that the browser may go on to the provider's own site. */
export function ProviderLinks({ providers, next }: { providers: Offered; next: string | null }) {
  const { t } = useTranslation("signIn");
  const query = next === null ? "" : `?next=${encodeURIComponent(next)}`;
  return (
    <ul className="grid gap-2.5">
      {providers.map(({ provider, label }) => (
        <li key={provider}>
          <a href={`/auth/${provider}${query}`} className="button w-full">
            {t("login.with", { provider: label })}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A line between two ways, with a word on it. */
export function Divider() {
  const { t } = useTranslation("signIn");
  return (
    <p className="my-6 flex items-center gap-3 text-[13.5px] text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t("login.or")}
    </p>
  );
}
