import { useTranslation } from "react-i18next";
import { href, redirect } from "react-router";
import { personOf } from "~/access/actor.server";
import { currentLegalVersion } from "~/legal/index.server";
import { ACCEPTED_NAMES } from "~/legal/shared";
import { Button } from "~/ui/Button";
import type { PageHandle } from "~/ui/page-handle";
import { FormProblem } from "../../flow/FormProblem";
import { signInView } from "../../flow/page-view.server";
import { SignInFrame } from "../../flow/SignInFrame";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export async function loader(args: Route.LoaderArgs) {
  const person = personOf(args.context);
  const view = await signInView(args, href("/api/legal/accept"));
  if (person === null) throw redirect(href("/login"), 303);
  if (person.accountState === "ready") throw redirect(view.next ?? "/dashboard", 303);
  return { ...view, version: currentLegalVersion(), documents: ACCEPTED_NAMES };
}

export default function Terms({ loaderData }: Route.ComponentProps) {
  const { brand, form, toast, next, version, documents } = loaderData;
  const { t, i18n } = useTranslation("signIn");
  const since = new Intl.DateTimeFormat(i18n.language, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(version),
  );
  return (
    <SignInFrame title={t("terms.title")} brand={brand} toast={toast} lead={t("terms.lead", { since })}>
      <ul className="mt-6 grid divide-y divide-line border-line border-y">
        {documents.map((name) => (
          <li key={name}>
            <a
              href={`/legal/${name}`}
              target="_blank"
              rel="noreferrer"
              className="flex items-center justify-between py-3 hover:text-accent"
            >
              {t(`terms.documents.${name}`)}
              <span aria-hidden="true" className="text-ink-3">
                →
              </span>
            </a>
          </li>
        ))}
      </ul>
      <form method="post" action={href("/api/legal/accept")} className="mt-6 grid gap-5">
        <FormProblem form={form} />
        <input type="hidden" name="version" value={version} />
        {next ? <input type="hidden" name="next" value={next} /> : null}
        <Button kind="primary">{t("terms.accept")}</Button>
      </form>
      <SignOut />
    </SignInFrame>
  );
}

function SignOut() {
  const { t } = useTranslation("signIn");
  return (
    <form method="post" action={href("/logout")} className="mt-4">
      <Button className="w-full">{t("terms.signOut")}</Button>
    </form>
  );
}
