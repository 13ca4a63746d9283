import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { requireActor } from "~/access/actor.server";
import { draftOf, toastOf } from "~/access/flash.server";
import { problemsAsJson } from "~/access/portal/page-loader.server";
import { signedIn } from "~/access/signed-in.server";
import { db } from "~/connection/db.server";
import { atLeast } from "~/domain/accounts/shared";
import { brandingOf, organisationsForSwitch } from "~/domain/organisations/index.server";
import { FormDraftContext } from "~/ui/forms/form-draft";
import { ChosenColumnsContext } from "~/ui/lists/columns";
import { DashboardShell } from "~/ui/shell/DashboardShell";
import { ErrorContent } from "~/ui/shell/ErrorContent";
import { problemOf } from "~/ui/shell/error-page-text";
import type { Route } from "./+types/_layout";
import { chosenColumns } from "./columns-cookie.server";
import { actsFor, navigationFor } from "./navigation";
import { ScopeChoice } from "./ScopeChoice";

export const middleware: Route.MiddlewareFunction[] = [signedIn, problemsAsJson];

export async function loader({ context, url, request }: Route.LoaderArgs) {
  const actor = requireActor(context);
  const [organisations, look] = await Promise.all([
    organisationsForSwitch(db(), actor),
    brandingOf(db(), actor.organisationId),
  ]);
  return {
    actor,
    navigation: navigationFor(actor),
    organisations,
    look,
    toast: toastOf(context),
    columns: chosenColumns(request),
    draft: draftOf(context, { path: url.pathname, userId: actor.userId }),
  };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  return (
    <Frame view={loaderData}>
      <Outlet />
    </Frame>
  );
}

/**
 * A missing, forbidden or broken page keeps the frame. If the frame's own data is missing, the root shows the error.
 */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const { t } = useTranslation("ui");
  if (!loaderData) throw error;
  const problem = problemOf(error, t);
  return (
    <Frame view={loaderData}>
      <title>{`${problem.title} · gw`}</title>
      <ErrorContent {...problem} signedIn />
    </Frame>
  );
}

type View = Route.ComponentProps["loaderData"];

function Frame({ view, children }: { view: View; children: ReactNode }) {
  const { actor, navigation, organisations, look, toast, draft, columns } = view;
  const { t } = useTranslation(["navigation", "ui"]);
  const rows = navigation.map((row) => ({ ...row, label: t(row.label as "home") }));
  const isAdmin = atLeast(actor.role, "department_admin");
  return (
    <DashboardShell
      navigation={rows}
      brand={look.brandName ?? undefined}
      accent={look.accentColour?.slice(1)}
      person={{ name: actor.name, email: actor.email, role: t(`ui:roles.${actor.role}`) }}
      scope={isAdmin ? <ScopeChoice actor={actor} organisations={organisations} /> : null}
      acts={actsFor(actor).map((act) => ({ ...act, label: t(`ui:palette.${act.label}`) }))}
      toast={toast}
    >
      <ChosenColumnsContext value={columns}>
        <FormDraftContext value={draft}>{children}</FormDraftContext>
      </ChosenColumnsContext>
    </DashboardShell>
  );
}
