import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { Section } from "~/ui/page-parts";

type Props = { action: string; shown: boolean; title: string; children: ReactNode };

/** A page's explanation, until the person hides it. */
export function HelpPanel({ action, shown, title, children }: Props) {
  const { t } = useTranslation("navigation");
  const toggle = (
    <form method="post" action={action}>
      <input type="hidden" name="shown" value={shown ? "false" : "true"} />
      <Button small kind="quiet">
        {t(shown ? "help.hide" : "help.show")}
      </Button>
    </form>
  );
  if (!shown) return <div className="mb-3 flex justify-end">{toggle}</div>;
  return (
    <Section title={title} aside={toggle} id="help">
      <div className="grid gap-2 text-ink-2">{children}</div>
    </Section>
  );
}
