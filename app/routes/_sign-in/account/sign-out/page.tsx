import { useTranslation } from "react-i18next";
import { href, redirect } from "react-router";
import { personOf } from "~/access/actor.server";
import { Button } from "~/ui/Button";
import type { PageHandle } from "~/ui/page-handle";
import { signInView } from "../../flow/page-view.server";
import { SignInFrame } from "../../flow/SignInFrame";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export async function loader(args: Route.LoaderArgs) {
  const { brand, toast } = await signInView(args, href("/logout"));
  if (personOf(args.context) === null) throw redirect(href("/login"), 303);
  return { brand, toast };
}

/** Asks for confirmation when another site sent the browser to sign out. */
export default function SignOut({ loaderData }: Route.ComponentProps) {
  const { brand, toast } = loaderData;
  const { t } = useTranslation("signIn");
  return (
    <SignInFrame title={t("signOut.title")} brand={brand} toast={toast} lead={t("signOut.lead")}>
      <form method="post" action={href("/logout")} className="mt-6 flex flex-wrap gap-2.5">
        <Button kind="primary">{t("terms.signOut")}</Button>
        <a href={href("/dashboard")} className="button">
          {t("signOut.stay")}
        </a>
      </form>
    </SignInFrame>
  );
}
