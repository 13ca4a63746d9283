import { useTranslation } from "react-i18next";
import { data } from "react-router";
import { redirectWith } from "~/access/flash.server";
import { languageOf } from "~/access/language.server";
import { db } from "~/db.server";
import { completeSetup, findAccountById, isSetupLinkUsable, type SetupOutcome } from "~/domain/identity/index.server";
import { SetupForm } from "~/domain/identity/shared";
import { AppError, apiError } from "~/errors/app-error";
import { problemWords } from "~/errors/problem-words.server";
import { sayText } from "~/errors/say.server";
import { answerApiErrors } from "~/http/answer-refusals";
import { clientAddressContext } from "~/http/client-address";
import { parseForm } from "~/http/parse-form";
import { requireMethod } from "~/http/require-method";
import { SignInFrame } from "~/routes/_sign-in/flow/SignInFrame";
import { signInPerson } from "~/routes/_sign-in/flow/sign-in-person.server";
import { TextField } from "~/ui/fields";
import type { PageHandle } from "~/ui/page-handle";
import type { Route } from "./+types/page";

export const handle: PageHandle = { plain: true };

export const loader = answerApiErrors(async ({ params }: Route.LoaderArgs) => {
  if (!(await isSetupLinkUsable(db(), params.token))) throw linkNotUsable();
  return null;
});

export const action = answerApiErrors(async ({ request, params, context }: Route.ActionArgs) => {
  requireMethod(request);
  const language = languageOf(context);
  const form = await parseForm(request, SetupForm);
  if (!form.ok) {
    const fields = Object.entries(form.fields).map(([name, text]) => [name, sayText(text, language)]);
    return data({ fields: Object.fromEntries(fields), sent: form.sent }, { status: 422 });
  }
  const outcome = await completed(params.token, form.value, context.get(clientAddressContext));
  if (outcome instanceof AppError) {
    const { email, name } = form.value;
    const fields = { [outcome.param ?? "password"]: problemWords(outcome, language) };
    return data({ fields, sent: { email, name } }, { status: outcome.status });
  }
  if (outcome.kind === "linkNotUsable") throw linkNotUsable();
  if (outcome.kind === "emailTaken") {
    const { email, name } = form.value;
    const fields = { email: problemWords(apiError("email_taken"), language) };
    return data({ fields, sent: { email, name } }, { status: 422 });
  }
  const owner = await findAccountById(db(), outcome.userId);
  if (owner === null) throw linkNotUsable();
  return redirectWith("/dashboard", await signInPerson({ request, context }, owner));
});

/** What becomes of a set-up; a password that is refused stands beside its field. */
async function completed(token: string, form: SetupForm, address: string): Promise<SetupOutcome | AppError> {
  try {
    return await completeSetup(db(), token, form, address);
  } catch (error) {
    if (error instanceof AppError && error.code === "weak_password") return error;
    throw error;
  }
}

const linkNotUsable = () =>
  apiError("invalid_token", {
    status: 404,
    key: "rejections:setupLinkEnded",
  });

export default function Setup({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("signIn");
  const fields: Readonly<Record<string, string>> = actionData?.fields ?? {};
  const sent: Readonly<Record<string, string>> = actionData?.sent ?? {};
  return (
    <SignInFrame title={t("setup.title")} brand="gw" lead={t("setup.lead")}>
      <form method="post" noValidate className="mt-7 grid gap-5">
        {Object.keys(fields).length > 0 ? (
          <p role="alert" className="rounded-lg bg-bad-soft px-3.5 py-2.5 text-bad">
            {fields.form ?? t("setup.nothingSaved")}
          </p>
        ) : null}
        <TextField
          label={t("fields.email")}
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={sent.email}
          problem={fields.email}
        />
        <TextField
          label={t("fields.name")}
          name="name"
          autoComplete="name"
          required
          defaultValue={sent.name}
          problem={fields.name}
        />
        <TextField
          label={t("fields.password")}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          hint={t("fields.passwordHint")}
          problem={fields.password}
        />
        <button type="submit" className="button button-primary">
          {t("signUp.submit")}
        </button>
      </form>
    </SignInFrame>
  );
}
