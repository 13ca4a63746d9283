import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type FocusEvent, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { z } from "zod";
import { issueWords } from "~/errors/issue-words";
import { messageOf } from "~/errors/message";
import { FormDraftContext } from "./form-draft";

let isPressing = false;
if (typeof document !== "undefined") {
  // The page policy forbids to make code from text, and zod would try it.
  z.config({ jitless: true });
  document.addEventListener("pointerdown", () => (isPressing = true), true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (isPressing = false), true);
}

/** The fields of a form by name, as a browser sends them: a checked box is there, one that is not is not. */
export type FormValues = Readonly<Record<string, string>>;

/** A form that the server refused, in the reader's language. `action`: the path it was sent to, where a page has several. */
export type RefusedValues = {
  fields: FormValues;
  sent: FormValues;
  /** What is wrong as a whole; an endpoint calls it `message` and says it beside the fields. */
  problem?: string | null;
  message?: string;
  action?: string;
};

/** Whether this page gives back a form that is sent to `action`: what stands in a dialog then belongs on the page. */
export const useIsReturned = (action: string): boolean => useContext(FormDraftContext)?.action === action;

type Options<Name extends string> = {
  /** Unique in the document; ids of fields begin with it. */
  id: string;
  /** Where the form is sent; left out: to its page. */
  action?: string;
  /** Which of several acts of one address this form is; goes along as `intent`. */
  intent?: string;
  /** The schema by which the server reads the form. */
  schema: z.ZodType;
  /** What each field is called, in the order of the page. */
  labels: Readonly<Record<Name, string>>;
  /** What the form shows before anybody touches it. */
  values?: FormValues;
  refused?: RefusedValues | null;
};

/** One line of the summary; `href` leads to the field, null for what has no field. */
export type SummaryEntry = { name: string; href: `#${string}` | null; label: string; text: string };

/** A form of the portal, as `usePortalForm` makes it. */
export type PortalFormState<Name extends string = string> = ReturnType<typeof usePortalForm<Name>>;

/**
 * A form that the server and, where there is script, the browser check by one schema: a field when it is left, then with every
 * key, all of them when the form is sent. Without script it is a plain form. Spread `field(name)` into a field, and
 * `box(name)` into a checkbox; `PortalForm` writes the form and its summary.
 */
export function usePortalForm<Name extends string>(options: Options<Name>) {
  const { id, action, intent, schema, labels } = options;
  const { t } = useTranslation();
  const say = (text: string): string => {
    const message = messageOf(text);
    return message === null ? text : (t as (key: string, values: object) => string)(message.key, message.values ?? {});
  };
  const path = useLocation().pathname;
  const refused = useKept(isOf(options.refused, action, intent) ? options.refused : null);
  const names = Object.keys(labels) as Name[];
  const draft = useKept(useDraft({ action: action ?? path, intent, names }));
  const values = filled(refused?.sent) ?? draft ?? options.values ?? {};
  const lastResult = useMemo(() => refused && resultOf(refused), [refused]);
  const [form] = useForm<Record<string, string>>({
    id,
    lastResult,
    defaultNoValidate: false,
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) =>
      parseWithZod(formData, { schema: flat(schema, formData, say), disableAutoCoercion: true }),
  });
  const problems = firstOfEach(form.allErrors);
  const [summary, forgetSummary] = useSummary(form);
  const focused = refused === null ? undefined : names.find((name) => refused.fields[name] !== undefined);
  const idOf = (name: string) => `${id}-${name}`;
  const about = (name: Name) => ({
    id: idOf(name),
    name,
    label: labels[name],
    problem: problems[name],
    autoFocus: focused === name || undefined,
  });
  return {
    values,
    problems,
    /** Whether the form was refused or given back: what stands in a dialog then belongs on the page. */
    returned: refused !== null || draft !== null,
    /** Whether the form holds what somebody had typed before they signed in again. */
    restored: draft !== null && refused === null,
    intent,
    props: {
      id,
      method: "post" as const,
      action,
      noValidate: form.noValidate,
      onSubmit: form.onSubmit,
      onBlur: keepInPlace,
    },
    summary: {
      problem: (refused && (refused.problem ?? (hasFields(refused) ? null : refused.message))) || null,
      entries: entriesOf(summary, labels, idOf),
    },
    /** Takes the summary away, where a form that was sent well stays on its page. */
    forgetSummary,
    field: (name: Name) => ({ ...about(name), defaultValue: values[name] ?? "" }),
    box: (name: Name, value = "on") => ({ ...about(name), value, defaultChecked: values[name] === value }),
  };
}

/**
 * What was given once, for as long as the form is on its page: its texts stand in the fields as values. A list beside the form that
 * is filtered, or a turn of a page, comes from the server without them.
 */
function useKept<Given>(given: Given | null): Given | null {
  const [kept, keep] = useState(given);
  if (given !== null && given !== kept) keep(given);
  return given ?? kept;
}

const hasFields = ({ fields }: RefusedValues): boolean => Object.keys(fields).length > 0;

function isOf(refused: RefusedValues | null | undefined, action?: string, intent?: string): refused is RefusedValues {
  if (!refused) return false;
  if (refused.action !== undefined && refused.action !== action) return false;
  return intent === undefined || refused.sent.intent === intent;
}

/** Nothing at all was kept of a form that was too long for it. */
const filled = (sent: FormValues | undefined) => (sent && Object.keys(sent).length > 0 ? sent : undefined);

/** An act that goes to the same address, such as the end of something, has none of the form's fields. */
function useDraft({ action, intent, names }: { action: string; intent?: string; names: readonly string[] }) {
  const draft = useContext(FormDraftContext);
  if (draft === null || draft.action !== action || !names.some((name) => name in draft.sent)) return null;
  return intent === undefined || draft.sent.intent === intent ? draft.sent : null;
}

/** A refusal in the words of Conform. */
function resultOf({ fields, sent }: RefusedValues) {
  const error = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, [text]]));
  const validated = Object.fromEntries(Object.keys(fields).map((name) => [name, true]));
  return { status: "error" as const, initialValue: { ...sent }, error, state: { validated } };
}

/**
 * The schema for what a browser is about to send, read as the server reads it: flat, of a repeated name the first counts. A
 * problem belongs to the field in which it is, however deep.
 */
function flat(schema: z.ZodType, formData: FormData, say: (text: string) => string) {
  return z.unknown().transform((_, context) => {
    const given = new Map<string, string>();
    for (const [name, value] of formData)
      if (typeof value === "string" && !given.has(name) && !name.startsWith("__")) given.set(name, value);
    const read = schema.safeParse(Object.fromEntries(given), { error: issueWords });
    for (const { path, message } of read.error?.issues ?? [])
      context.addIssue({ code: "custom", path: path.slice(0, 1), message: say(message) });
    return Object.fromEntries(given);
  });
}

const firstOfEach = (errors: Record<string, string[]>): Partial<FormValues> =>
  Object.fromEntries(Object.entries(errors).flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])));

/** The problems of the form as it was sent last: the summary stays as it is while somebody mends one after the other. */
function useSummary({ status, allErrors }: { status?: "success" | "error"; allErrors: Record<string, string[]> }) {
  const [told, setTold] = useState<Record<string, string[]>>({});
  const forget = () => setTold({});
  if (status !== "error" || told === allErrors) return [told, forget] as const;
  setTold(allErrors);
  return [allErrors, forget] as const;
}

function entriesOf(
  errors: Record<string, string[]>,
  labels: Readonly<Record<string, string>>,
  idOf: (name: string) => string,
): SummaryEntry[] {
  const first = firstOfEach(errors);
  const known = Object.keys(labels).filter((name) => first[name] !== undefined);
  const others = Object.keys(first).filter((name) => labels[name] === undefined);
  return [...known, ...others].map((name) => ({
    name,
    href: labels[name] === undefined ? null : `#${idOf(name)}`,
    label: labels[name] ?? "",
    text: first[name] ?? "",
  }));
}

const TEXT = "input:not([type=checkbox], [type=radio]), textarea";

/**
 * A message that appears when a field is left must not move away what is being pressed: it waits for the form to be sent.
 * Conform listens where React does, after it.
 */
function keepInPlace({ relatedTarget, nativeEvent }: FocusEvent): void {
  if (isPressing && !(relatedTarget instanceof Element && relatedTarget.matches(TEXT)))
    nativeEvent.stopImmediatePropagation();
}
