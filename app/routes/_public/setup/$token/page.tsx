import { useTranslation } from "react-i18next";
import { z } from "zod";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader, problemsAsJson } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { completeSetup, findAccountById, isSetupLinkUsable } from "~/domain/accounts/index.server";
import { SetupForm } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { issue } from "~/errors/message";
import { clientAddressContext } from "~/http/server/client-address";
import { ValidationError } from "~/http/validation-problem";
import { FormProblem } from "~/routes/_sign-in/flow/FormProblem";
import { refusedFields } from "~/routes/_sign-in/flow/refused-fields";
import { SignInFrame } from "~/routes/_sign-in/flow/SignInFrame";
import { signInPerson } from "~/routes/_sign-in/flow/sign-in-person.server";
import { TextField } from "~/ui/forms/fields";
import type { PageHandle } from "~/ui/page-handle";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const middleware: Route.MiddlewareFunction[] = [problemsAsJson];

const Params = z.object({ token: z.string() });

export const loader = pageLoader({ allow: "anyone", params: Params }, async ({ params }) => {
  if (!(await isSetupLinkUsable(db(), params.token))) throw linkNotUsable();
  return null;
});

/** Creates the owner's account, once, and signs the owner in. */
export const action = pageAction({ allow: "anyone", params: Params, body: SetupForm }, async (call) => {
  const { params, body, context } = call;
  const outcome = await completeSetup(db(), params.token, body, context.get(clientAddressContext));
  if (outcome.kind === "linkNotUsable") throw linkNotUsable();
  if (outcome.kind === "emailTaken") throw emailTaken();
  const owner = await findAccountById(db(), outcome.userId);
  if (owner === null) throw linkNotUsable();
  return { to: "/dashboard", cookies: await signInPerson(call, owner) };
});

const linkNotUsable = () =>
  apiError("invalid_token", {
    status: 404,
    key: "rejections:setupLinkEnded",
  });

const emailTaken = () =>
  new ValidationError([{ loc: ["body", "email"], message: issue("problems:emailTaken"), type: "value_error" }]);

export default function Setup({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("signIn");
  const form = actionData?.form ?? null;
  const fieldOf = refusedFields(form, ["email", "name", "password"]);
  return (
    <SignInFrame title={t("setup.title")} brand="gw" lead={t("setup.lead")}>
      <form method="post" className="mt-7 grid gap-5">
        <FormProblem form={form && { ...form, message: form.problem ?? "" }} />
        <TextField
          label={t("fields.email")}
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          {...fieldOf("email")}
        />
        <TextField
          label={t("fields.name")}
          name="name"
          autoComplete="name"
          required
          maxLength={120}
          {...fieldOf("name")}
        />
        <TextField
          label={t("fields.password")}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          hint={t("fields.passwordHint")}
          {...fieldOf("password")}
        />
        <button type="submit" className="button button-primary">
          {t("signUp.submit")}
        </button>
      </form>
    </SignInFrame>
  );
}
