import { useTranslation } from "react-i18next";
import { data, href, type RouterContextProvider } from "react-router";
import { actorOf, personOf } from "~/access/actor.server";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { portalOf } from "~/access/portal-of.server";
import { db } from "~/connection/db.server";
import type { Role } from "~/domain/accounts/shared";
import { type InviteLanding, readInvite } from "~/domain/organisations/index.server";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import type { PageHandle } from "~/ui/page-handle";
import { AcceptTerms } from "../../flow/AcceptTerms";
import { FormProblem } from "../../flow/FormProblem";
import { refusedFields } from "../../flow/refused-fields";
import { SignInFrame } from "../../flow/SignInFrame";
import type { Route } from "./+types/page";
import { acceptHere } from "./accept.server";

export const handle: PageHandle = { hydrate: false };

/** The reader of the page: only their address, and whether their account is ready. */
function readerOf(context: Readonly<RouterContextProvider>) {
  const email = personOf(context)?.actor.email ?? null;
  return { email, ready: actorOf(context) !== null };
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { brand } = await portalOf(request);
  const invite = params.token.length > 200 ? null : await readInvite(db(), params.token);
  const reader = readerOf(context);
  const status = invite === null ? 404 : 200;
  return data({ brand, invite, reader, path: `/invite/${params.token}` }, { status });
}

export const action = acceptHere;

export default function Invitation({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("invite");
  const { brand, invite, reader, path } = view;
  if (invite === null || invite.status !== "pending") {
    const why = invite === null ? "unknown" : (invite.status as Exclude<typeof invite.status, "pending">);
    return (
      <SignInFrame title={t(`ended.${why}`)} brand={brand} lead={t(`ended.${why}Text`)}>
        <p className="mt-7">
          <a href={href("/login")} className="button button-primary">
            {t("signIn")}
          </a>
        </p>
      </SignInFrame>
    );
  }
  const { organisation, invitedBy, email } = invite;
  const lead = invitedBy === null ? t("textNobody", { organisation }) : t("text", { organisation, invitedBy });
  return (
    <SignInFrame title={t("title", { organisation })} brand={brand} lead={lead}>
      <Facts invite={invite} />
      {actionData ? (
        <div className="mt-6">
          <FormProblem form={{ ...actionData.form, message: actionData.form.problem ?? "" }} />
        </div>
      ) : null}
      <div className="mt-7">
        {reader.email === email && reader.ready ? (
          <form method="post" action={path} className="grid gap-4">
            <p className="text-ink-2">{t("moving", { organisation })}</p>
            <Button kind="primary">{t("join", { email })}</Button>
          </form>
        ) : reader.email !== null && reader.email !== email ? (
          <OtherReader email={reader.email} invited={email} />
        ) : (
          <>
            <p className="mb-6 text-ink-2">
              {t("known")}{" "}
              <a href={`/login?next=${encodeURIComponent(path)}`} className="link">
                {t("signIn")}
              </a>
            </p>
            <NewAccount path={path} form={actionData?.form} />
          </>
        )}
      </div>
    </SignInFrame>
  );
}

function Facts({ invite }: { invite: InviteLanding }) {
  const { t } = useTranslation("invite");
  const { t: admin } = useTranslation("admin");
  const { department } = invite;
  return (
    <dl className="mt-6 grid grid-cols-mark gap-x-5 gap-y-1.5 border-line border-y py-4">
      <dt className="text-ink-3">{t("email")}</dt>
      <dd className="text-right wrap-anywhere">{invite.email}</dd>
      <dt className="text-ink-3">{t("role")}</dt>
      <dd className="text-right">{admin(`roles.${invite.role satisfies Role}`)}</dd>
      {department ? (
        <>
          <dt className="text-ink-3">{t("department")}</dt>
          <dd className="text-right">{department}</dd>
        </>
      ) : null}
      <dt className="text-ink-3">{admin("invites.col.expires")}</dt>
      <dd className="text-right">
        <DateTime at={invite.expiresAt} dateOnly />
      </dd>
    </dl>
  );
}

function OtherReader({ email, invited }: { email: string; invited: string }) {
  const { t } = useTranslation("invite");
  return (
    <form method="post" action={href("/logout")} className="grid gap-4">
      <p className="text-ink-2">{t("wrong", { email, invited })}</p>
      <Button>{t("signOut")}</Button>
    </form>
  );
}

function NewAccount({ path, form }: { path: string; form?: RefusedHere }) {
  const { t } = useTranslation("invite");
  const fieldOf = refusedFields(form, ["name", "password", "accept_terms"]);
  const terms = fieldOf("accept_terms");
  return (
    <form method="post" action={path} className="grid gap-5">
      <TextField label={t("name")} name="name" autoComplete="name" required maxLength={120} {...fieldOf("name")} />
      <TextField
        label={t("password")}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        hint={t("passwordHint")}
        {...fieldOf("password")}
      />
      <AcceptTerms problem={terms.problem} autoFocus={terms.autoFocus} accepted={terms.defaultValue === "on"} />
      <Button kind="primary">{t("accept")}</Button>
    </form>
  );
}
