import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonKind } from "../Button";
import { Dialog, DialogButton } from "../Dialog";

/** The choice of rows for a form of `BulkBar`. */
export type Selection<Row> = {
  /** Id of the form. */
  form: string;
  /** Name of a row, for screen readers. */
  label: (row: Row) => string;
  /** Whether the row can be selected; default: every row. */
  allowed?: (row: Row) => boolean;
};

/** The checkbox that selects all rows of the page. It needs the page's script. */
export function SelectAll() {
  const { t } = useTranslation("ui");
  return (
    <th scope="col" className="table-select">
      <input type="checkbox" className="check with-script" data-select-all="" aria-label={t("list.selectAll")} />
    </th>
  );
}

export function SelectRow<Row>({
  of,
  id,
  selection: { form, label, allowed },
}: {
  of: Row;
  id: string | number;
  selection: Selection<Row>;
}) {
  const { t } = useTranslation("ui");
  return (
    <td className="table-select">
      {allowed?.(of) === false ? null : (
        <input
          type="checkbox"
          name="ids"
          value={id}
          form={form}
          className="check"
          data-select=""
          autoComplete="off"
          aria-label={t("list.select", { name: label(of) })}
        />
      )}
    </td>
  );
}

/** One act on the selected rows. */
type BulkAct = {
  /** Value of the form's `intent`. */
  intent: string;
  /** The button in the bar, and the title of its dialog. */
  label: string;
  /** The consequences, shown before the act is confirmed. */
  consequences?: ReactNode;
  /** Text of the button that confirms. */
  confirm: string;
  kind?: ButtonKind;
  /** Fields of the act, each with the attribute `form`. */
  children?: ReactNode;
};

/**
 * The acts on selected rows: one form, whose checkboxes are in the rows. The bar is visible while a row is selected; a
 * style rule shows it, so it needs no script. Each act asks for confirmation.
 */
export function BulkBar({
  form,
  action,
  file,
  acts,
}: {
  form: string;
  action: string;
  /** Address of the file with the selected rows. */
  file?: string;
  acts: readonly BulkAct[];
}) {
  const { t } = useTranslation("ui");
  return (
    <>
      <form id={form} method="post" action={action} className="bulk-bar" aria-label={t("list.selected")}>
        <span className="text-ink-2">
          {t("list.selected")} <b className="tabular-nums" data-selected-count="" />
        </span>
        {acts.map(({ intent, label, kind }) => (
          <DialogButton key={intent} dialog={`${form}-${intent}`} small kind={kind}>
            {label}
          </DialogButton>
        ))}
        {file ? (
          <Button small formMethod="get" formAction={file}>
            {t("list.export")}
          </Button>
        ) : null}
      </form>
      {acts.map(({ intent, label, consequences, confirm, kind, children }) => (
        <Dialog key={intent} id={`${form}-${intent}`} title={label}>
          {consequences ? <div className="text-ink-2">{consequences}</div> : null}
          {children}
          <div className="flex flex-wrap justify-end gap-2.5">
            <Button type="button" {...{ command: "close", commandfor: `${form}-${intent}` }}>
              {t("cancel")}
            </Button>
            <Button form={form} name="intent" value={intent} kind={kind === "danger" ? "danger" : "primary"}>
              {confirm}
            </Button>
          </div>
        </Dialog>
      ))}
    </>
  );
}
