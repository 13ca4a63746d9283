import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { TextField } from "./forms/fields";

type Props = {
  id: string;
  title: ReactNode;
  /** URL that receives the action. */
  action: string;
  /** The consequences of the action, shown above the button. */
  consequences?: ReactNode;
  /** A word that the user must type before the action is sent. It is sent as `confirm`, for the server to check. */
  typed?: string;
  /** Label of the confirm button. */
  confirm: ReactNode;
  danger?: boolean;
  /** Further fields of the form. */
  children?: ReactNode;
  /** Values of hidden fields. */
  values?: Readonly<Record<string, string | number>>;
};

/** Asks for confirmation of an action that is hard to undo. The action is a POST of a form, with and without script. */
export function ConfirmDialog({
  id,
  title,
  action,
  consequences,
  typed,
  confirm,
  danger = true,
  children,
  values = {},
}: Props) {
  const { t } = useTranslation("ui");
  const closes = { command: "close", commandfor: id };
  return (
    <Dialog id={id} title={title}>
      {consequences ? <div className="text-ink-2">{consequences}</div> : null}
      <form method="post" action={action} className="grid gap-4">
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
        {typed === undefined ? null : (
          <TextField
            id={`${id}-confirm`}
            name="confirm"
            label={t("typeToConfirm", { word: typed })}
            autoComplete="off"
            required
            pattern={typed.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}
            title={typed}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2.5">
          <Button type="button" {...closes}>
            {t("cancel")}
          </Button>
          <Button kind={danger ? "danger" : "primary"}>{confirm}</Button>
        </div>
      </form>
    </Dialog>
  );
}
