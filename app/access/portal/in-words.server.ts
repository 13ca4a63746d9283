import { sayText } from "~/errors/say.server";
import { languageOf } from "../language.server";
import { wantsJson } from "../wants-json";
import type { Context } from "./door.server";

/** A refused form in its reader's language, for the actions that read their forms themselves; programs get it as it is. */
export function inWords<Form extends { fields: Readonly<Record<string, string>> }>(
  form: Form,
  { request, context }: { request: Request; context: Context },
): Form {
  if (wantsJson(request)) return form;
  const told = Object.entries(form.fields).map(([name, text]) => [name, sayText(text, languageOf(context))]);
  return { ...form, fields: Object.fromEntries(told) };
}
