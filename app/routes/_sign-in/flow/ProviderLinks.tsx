import { useTranslation } from "react-i18next";

type Offered = readonly { provider: string; label: string }[];

/**
 * Links to sign in through a provider. Plain links, so that the browser may leave for the provider's site. `confirm`:
 * the provider must ask a signed-in person again, as proof of identity.
 */
export function ProviderLinks(props: { providers: Offered; next: string | null; confirm?: boolean }) {
  const { providers, next, confirm = false } = props;
  const { t } = useTranslation("signIn");
  const parameters = new URLSearchParams({ ...(next === null ? {} : { next }), ...(confirm ? { confirm: "1" } : {}) });
  const query = parameters.size === 0 ? "" : `?${parameters}`;
  return (
    <ul className="grid gap-2.5">
      {providers.map(({ provider, label }) => (
        <li key={provider}>
          <a href={`/auth/${provider}${query}`} className="button w-full">
            {t(confirm ? "confirm.with" : "login.with", { provider: label })}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A labelled line between two ways to sign in. */
export function Divider() {
  const { t } = useTranslation("signIn");
  return (
    <p className="my-6 flex items-center gap-3 text-ui text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t("login.or")}
    </p>
  );
}
