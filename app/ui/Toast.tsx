import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "./Button";

export type ToastView = {
  kind: "good" | "bad";
  text: string;
  /** What the server needs to undo the action; absent: it cannot be undone. */
  undo?: string;
};

/** The result of the last action: a line that the page's script removes after a while. */
export function Toast({ kind, text, undo }: ToastView) {
  const { t } = useTranslation("ui");
  const Sign = kind === "good" ? CircleCheck : CircleAlert;
  return (
    <div role={kind === "good" ? "status" : "alert"} className="toast" data-toast={kind}>
      <Sign size={17} aria-hidden="true" className={kind === "good" ? "shrink-0 text-accent" : "shrink-0 text-bad"} />
      <p>{text}</p>
      {undo === undefined ? null : (
        <form method="post" action={href("/dashboard/undo")}>
          <input type="hidden" name="undo" value={undo} />
          <Button small>{t("list.undo")}</Button>
        </form>
      )}
      <button type="button" data-toast-close aria-label={t("close")} className="toast-close">
        <X size={15} aria-hidden="true" />
      </button>
    </div>
  );
}
