import { data, href, redirect } from "react-router";
import { db } from "~/db.server";
import { completeSetup, isSetupLinkUsable } from "~/domain/identity/index.server";
import { SetupForm } from "~/domain/identity/shared";
import { refusal } from "~/errors/app-error";
import { answerRefusals } from "~/http/answer-refusals";
import { parseForm } from "~/http/parse-form";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { TextField } from "~/ui/TextField";
import type { Route } from "./+types/page";

export const handle: PageHandle = { plain: true };

export const meta: Route.MetaFunction = () => [
  { title: "Set up your account · gw" },
  { name: "robots", content: "noindex" },
];

export const loader = answerRefusals(async ({ params }: Route.LoaderArgs) => {
  if (!(await isSetupLinkUsable(db(), params.token))) throw linkNotUsable();
  return null;
});

export const action = answerRefusals(async ({ request, params }: Route.ActionArgs) => {
  const form = await parseForm(request, SetupForm);
  if (!form.ok) return data({ fields: form.fields, sent: form.sent }, { status: 422 });
  const outcome = await completeSetup(db(), params.token, form.value);
  if (outcome.kind === "linkNotUsable") throw linkNotUsable();
  if (outcome.kind === "ready") return redirect(href("/setup/ready"), 303);
  const { email, name } = form.value;
  return data({ fields: { email: refusal("email_taken").humanMessage }, sent: { email, name } }, { status: 422 });
});

const linkNotUsable = () =>
  refusal("invalid_token", {
    status: 404,
    human:
      "This set-up link has been used or has expired. Start gw again: it prints a new link until the owner has a password.",
  });

export default function Setup({ actionData }: Route.ComponentProps) {
  const fields: Readonly<Record<string, string>> = actionData?.fields ?? {};
  const sent: Readonly<Record<string, string>> = actionData?.sent ?? {};
  return (
    <PublicPage>
      <div className="mx-auto max-w-[26rem] pt-10 sm:pt-14">
        <h1 className="text-[28px] leading-tight tracking-[-0.025em]">Set up your account</h1>
        <p className="mt-2 text-ink-2">
          You become the owner of this installation. The link that brought you here works once.
        </p>
        <form method="post" noValidate className="mt-7 grid gap-5">
          {Object.keys(fields).length > 0 ? (
            <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
              {fields.form ?? "Nothing was saved yet. Correct what is marked below."}
            </p>
          ) : null}
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="username"
            required
            defaultValue={sent.email}
            problem={fields.email}
          />
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            required
            defaultValue={sent.name}
            problem={fields.name}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            hint="At least ten characters. Several words are easy to keep in mind."
            problem={fields.password}
          />
          <button type="submit" className="button button-primary">
            Create the account
          </button>
        </form>
      </div>
    </PublicPage>
  );
}
