import { data, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { actorOf } from "~/access/actor.server";
import { flashCookie, redirectWith } from "~/access/flash.server";
import { languageOf } from "~/access/language.server";
import { wantsJson } from "~/access/wants-json";
import { db } from "~/db.server";
import { findAccountById, type NewMember } from "~/domain/identity/index.server";
import { NewPasswordField, PersonNameField } from "~/domain/identity/shared";
import { acceptInvite, readInvite } from "~/domain/organisations/index.server";
import { AppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { issue } from "~/errors/message";
import { problemWords } from "~/errors/problem-words.server";
import { sayText } from "~/errors/say.server";
import { clientAddressContext } from "~/http/client-address";
import { NO_FIELDS } from "~/http/closed-schema";
import { type ParsedForm, parseForm } from "~/http/parse-form";
import { signInPerson } from "../../flow/sign-in-person.server";

const TICK = issue("problems:acceptTerms");
const AcceptForm = z.object({
  name: PersonNameField,
  password: NewPasswordField,
  accept_terms: z.literal("on", TICK),
});

type Refused = {
  form: {
    fields: Readonly<Record<string, string>>;
    sent: Readonly<Record<string, string>>;
    problem: string | null;
  };
};

/** Accepts the invitation of a link, for a new person or for the one who is signed in, and leads them in. */
export async function acceptHere(request: Request, token: string, context: Readonly<RouterContextProvider>) {
  const language = languageOf(context);
  // What programs read is put into English where it is written.
  const words = (text: string) => (wantsJson(request) ? text : sayText(text, language));
  const actor = actorOf(context);
  const form = actor === null ? await parseForm(request, AcceptForm) : null;
  if (form !== null && !form.ok) return refusedForm(form, words);
  const button = actor === null ? null : await parseForm(request, NO_FIELDS);
  if (button !== null && !button.ok) return refusedForm(button, words);
  try {
    const joined = await acceptInvite(db(), token, newcomerOf(context, form?.value ?? null));
    const account = await findAccountById(db(), joined.userId);
    const organisation = (await readInvite(db(), token))?.organisation ?? "";
    const cookies = actor === null && account !== null ? await signInPerson({ request, context }, account) : [];
    const toast = flashCookie("toast", { kind: "good", text: "invite:welcome", values: { organisation } });
    return redirectWith("/dashboard", [...cookies, toast]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (wantsJson(request)) throw portalErrorResponse(error);
    const { param, status } = error;
    const told = problemWords(error, language);
    const fields: Record<string, string> = param === null ? {} : { [param]: told };
    const answer: Refused = {
      form: { fields, sent: form?.sent ?? {}, problem: param === null ? told : null },
    };
    return data(answer, { status });
  }
}

function newcomerOf(context: Readonly<RouterContextProvider>, form: z.output<typeof AcceptForm> | null): NewMember {
  const actor = actorOf(context);
  if (actor !== null || form === null) return { kind: "signedIn", actor: actor! };
  const { name, password } = form;
  return { kind: "new", name, password, language: languageOf(context), address: context.get(clientAddressContext) };
}

function refusedForm(form: Extract<ParsedForm<unknown>, { ok: false }>, words: (text: string) => string) {
  // A box that is not checked is not sent at all.
  const problems = form.fields.accept_terms ? { ...form.fields, accept_terms: TICK } : form.fields;
  const fields = Object.fromEntries(Object.entries(problems).map(([name, text]) => [name, words(text)]));
  const answer: Refused = { form: { fields, sent: form.sent, problem: null } };
  return data(answer, { status: 422 });
}
