import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonKind } from "./Button";

/** Opens the dialog with this id. Browsers do this natively; `app/enhance` does it for older ones. */
export function DialogButton({
  dialog,
  kind,
  small,
  label,
  children,
}: {
  dialog: string;
  kind?: ButtonKind;
  small?: boolean;
  /** The button's accessible name, if its content is only an icon. */
  label?: string;
  children: ReactNode;
}) {
  const opens = { command: "show-modal", commandfor: dialog };
  return (
    <Button type="button" kind={kind} small={small} aria-haspopup="dialog" aria-label={label} {...opens}>
      {children}
    </Button>
  );
}

/**
 * A modal dialog. Escape and the close button close it; focus stays inside while it is open. `sheet`: a side panel for
 * long forms.
 */
export function Dialog({
  id,
  title,
  sheet,
  children,
}: {
  id: string;
  title: ReactNode;
  sheet?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation("ui");
  const closes = { command: "close", commandfor: id };
  return (
    <dialog id={id} aria-labelledby={`${id}-title`} className={sheet ? "dialog sheet" : "dialog"}>
      <header className="flex items-start justify-between gap-6">
        <h2 id={`${id}-title`} className="text-xl">
          {title}
        </h2>
        <Button type="button" kind="quiet" small aria-label={t("close")} {...closes}>
          <X size={16} aria-hidden="true" />
        </Button>
      </header>
      <div className="mt-3 grid gap-4">{children}</div>
    </dialog>
  );
}
