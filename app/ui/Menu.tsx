import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** A list that a button opens. Screen readers read `label` if only `icon` is visible. */
export function Menu({ label, icon, children }: { label: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <details className="menu" data-menu>
      <summary className="button button-small" aria-label={icon ? label : undefined}>
        {icon ?? (
          <>
            {label} <ChevronDown size={14} aria-hidden="true" />
          </>
        )}
      </summary>
      <div className="menu-list">{children}</div>
    </details>
  );
}

export function MenuItem({ to, document, children }: { to: string; document?: boolean; children: ReactNode }) {
  return (
    <Link to={to} reloadDocument={document} className="menu-item">
      {children}
    </Link>
  );
}
