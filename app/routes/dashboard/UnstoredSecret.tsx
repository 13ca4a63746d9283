import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { CopyButton } from "~/ui/CopyButton";

/** A secret that pages show until the person confirms that they have stored it. `children`: ways to use it. */
export function UnstoredSecret({ secret, what, children }: { secret: string; what: string; children?: ReactNode }) {
  const { t } = useTranslation("keys");
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-3.5 py-2.5">
        <code id="shown-secret" className="mono min-w-0 flex-1 text-md wrap-anywhere">
          {secret}
        </code>
        <CopyButton of="#shown-secret" what={what} />
      </p>
      {children}
      <form method="post" action={href("/dashboard/secret-stored")}>
        <Button kind="primary">{t("secret.dismiss")}</Button>
      </form>
    </>
  );
}
