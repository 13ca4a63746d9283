import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { TextField } from "./fields";

type Props = {
  id: string;
  title: ReactNode;
  /** Where the act is sent. */
  action: string;
  /** What will happen: the list of consequences, shown before the button. */
  consequences?: ReactNode;
  /** A word that has to be typed before the act is sent; it goes along as `confirm`, for the server to check. */
  typed?: string;
  /** The words on the button. */
  confirm: ReactNode;
  danger?: boolean;
  /** Further fields of the form. */
  children?: ReactNode;
  /** Values that go along. */
  values?: Readonly<Record<string, string | number>>;
};

/** Asks before something is done that is hard to undo. The act is a POST of a form, with and without script. */
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
