import { Columns3 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "../Button";
import { type Column, useShownColumns } from "./columns";

/** The choice of columns: a form whose answer is the same list with these columns, which are remembered. */
export function ColumnChoice<Row>({ name, columns }: { name: string; columns: readonly Column<Row>[] }) {
  const { t } = useTranslation("ui");
  const shown = useShownColumns(name, columns);
  const optional = columns.filter((column) => column.optional);
  if (optional.length === 0) return null;
  return (
    <details className="menu" data-menu>
      <summary className="button button-small" aria-label={t("columns")} title={t("columns")}>
        <Columns3 size={15} aria-hidden="true" />
      </summary>
      <form method="post" action={href("/dashboard/columns")} className="menu-list">
        <fieldset>
          <legend className="sr-only">{t("columns")}</legend>
          <input type="hidden" name="list" value={name} />
          {optional.map((column) => (
            <label key={column.id} className="menu-item">
              <input
                type="checkbox"
                name="columns"
                className="check"
                defaultChecked={shown.includes(column)}
                value={column.id}
              />{" "}
              {column.header}
            </label>
          ))}
        </fieldset>
        <div className="flex gap-2 p-2">
          <Button small kind="primary">
            {t("apply")}
          </Button>
          <Button small name="reset" value="true">
            {t("list.defaultColumns")}
          </Button>
        </div>
      </form>
    </details>
  );
}
