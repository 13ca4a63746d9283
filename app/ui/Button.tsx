import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names";

export type ButtonKind = "plain" | "primary" | "danger" | "quiet";
type Looks = { kind?: ButtonKind; small?: boolean };

/** Something that is done. Sends its form unless `type` says otherwise. */
export function Button({
  kind = "plain",
  small,
  className,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & Looks) {
  return <button type="submit" {...button} className={classNames(looks(kind, small), className)} />;
}

/** A link that looks like an act, such as "New key". `document`: the browser fetches a whole document (a file, another shell). */
export function LinkButton({
  to,
  kind = "plain",
  small,
  document,
  children,
}: Looks & { to: string; document?: boolean; children: ReactNode }) {
  return (
    <Link to={to} reloadDocument={document} className={looks(kind, small)}>
      {children}
    </Link>
  );
}

const looks = (kind: ButtonKind, small?: boolean) =>
  classNames("button", kind !== "plain" && `button-${kind}`, small && "button-small");
