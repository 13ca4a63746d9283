import { Menu as MenuIcon, Search } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { href, NavLink, useNavigation } from "react-router";
import { InPageLink } from "../InPageLink";
import { Mark } from "../Mark";
import { Toast, type ToastView } from "../Toast";
import { CommandPalette, type PaletteAct } from "./CommandPalette";
import { SHELL_ICONS } from "./shell-icons";
import { ThemeChoice } from "./ThemeChoice";

type ShellRow = { to: string; label: string; group: string; icon: string };
type Props = {
  /** Labelled rows in adjacent groups; a group's label is a text of this component. */
  navigation: readonly ShellRow[];
  person: { name: string; email: string; role: string };
  /** The name above the navigation: a brand or the product. */
  brand?: string;
  /** The organisation's colour, as six hexadecimal digits. */
  accent?: string;
  /** Choice of organisation and view, for users who have one. */
  scope?: ReactNode;
  /** Actions of the command palette besides page links. */
  acts: readonly PaletteAct[];
  toast?: ToastView | null;
  children: ReactNode;
};

/** The id of the element around the navigation. */
const SIDE = "side";

/**
 * The frame of all signed-in pages. On narrow screens a button that needs no script opens the navigation. The
 * navigation is on the page once: the style sheet shows it below the open button.
 */
export function DashboardShell({ navigation, person, brand = "gw", accent, scope, acts, toast, children }: Props) {
  const { t } = useTranslation("ui");
  return (
    <div className="shell">
      {accent ? <link rel="stylesheet" href={`/brand/${accent}`} precedence="high" /> : null}
      <InPageLink href="#content" className="skip-link">
        {t("skip")}
      </InPageLink>
      <ProgressLine />
      <header className="shell-top">
        <Brand name={brand} />
        <details className="menu shell-small-menu" data-menu data-menu-panel={SIDE}>
          <summary className="button button-small" aria-label={t("menu")} aria-controls={SIDE}>
            <MenuIcon size={16} aria-hidden="true" />
          </summary>
        </details>
      </header>
      <aside id={SIDE} className="shell-side">
        <div className="shell-side-brand">
          <Brand name={brand} />
        </div>
        <Side navigation={navigation} person={person} scope={scope} />
      </aside>
      <main id="content" className="shell-main">
        {toast ? <Toast key={toast.text} {...toast} /> : null}
        {children}
      </main>
      <CommandPalette navigation={navigation} acts={acts} />
    </div>
  );
}

function Brand({ name }: { name: string }) {
  return (
    <NavLink to={href("/dashboard")} end className="flex items-center gap-2.5 px-2 font-bold text-base tracking-tight">
      <Mark />
      <span className="truncate">{name}</span>
    </NavLink>
  );
}

function Side({ navigation, person, scope }: Pick<Props, "navigation" | "person" | "scope">) {
  const { t } = useTranslation("ui");
  const groups = [...new Set(navigation.map(({ group }) => group))];
  return (
    <>
      {scope ? <div className="grid gap-2">{scope}</div> : null}
      <button type="button" className="shell-search with-script" data-palette-open>
        <Search size={14} aria-hidden="true" /> <span>{t("search")}</span> <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label={t("pagesOfPortal")} className="grid gap-px">
        {groups.map((group) => (
          <div key={group} className="grid gap-px">
            {group === "work" ? null : <p className="shell-group">{t(`groups.${group}` as "groups.admin")}</p>}
            {navigation
              .filter((row) => row.group === group)
              .map((row) => (
                <Row key={row.to} {...row} />
              ))}
          </div>
        ))}
      </nav>
      <footer className="mt-auto grid gap-2.5 border-line border-t px-2 pt-3 text-xs text-ink-2">
        <p className="min-w-0">
          <span className="block truncate" title={person.email}>
            {person.name || person.email}
          </span>
          <span className="text-ink-3">{person.role}</span>
        </p>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <ThemeChoice />
          <form method="post" action={href("/logout")}>
            <button type="submit" className="cursor-pointer hover:text-ink hover:underline">
              {t("signOut")}
            </button>
          </form>
        </div>
      </footer>
    </>
  );
}

function Row({ to, label, icon }: ShellRow) {
  const Icon = SHELL_ICONS[icon];
  return (
    <NavLink to={to} end={to === "/dashboard"} className="shell-row">
      {Icon ? <Icon size={15} aria-hidden="true" /> : null}
      {label}
    </NavLink>
  );
}

/** A line at the top of the page while the next page loads; visible only if that takes a moment. */
function ProgressLine() {
  const { state } = useNavigation();
  return <div aria-hidden="true" className="progress-line" data-busy={state === "idle" ? undefined : ""} />;
}
