import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names";

export type ButtonKind = "plain" | "primary" | "danger" | "quiet";
type Variants = { kind?: ButtonKind; small?: boolean };

/** A button for an action. Submits its form unless `type` differs. */
export function Button({
  kind = "plain",
  small,
  className,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & Variants) {
  return <button type="submit" {...button} className={classNames(variants(kind, small), className)} />;
}

/**
 * A link styled as a button, such as "New key". `document`: loads a new document (a file, or a page with another
 * frame).
 */
export function LinkButton({
  to,
  kind = "plain",
  small,
  document,
  children,
}: Variants & { to: string; document?: boolean; children: ReactNode }) {
  return (
    <Link to={to} reloadDocument={document} className={variants(kind, small)}>
      {children}
    </Link>
  );
}

const variants = (kind: ButtonKind, small?: boolean) =>
  classNames("button", kind !== "plain" && `button-${kind}`, small && "button-small");
