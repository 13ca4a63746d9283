import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type FocusEvent, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { z } from "zod";
import { issueMessage } from "~/errors/issue-words";
import { messageOf } from "~/errors/message";
import { FormDraftContext } from "./form-draft";

let isPressing = false;
if (typeof document !== "undefined") {
  // The content security policy forbids code from strings, which zod would otherwise try.
  z.config({ jitless: true });
  document.addEventListener("pointerdown", () => (isPressing = true), true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (isPressing = false), true);
}

/** The fields of a form by name, as browsers send them: unchecked boxes are absent. */
export type FormValues = Readonly<Record<string, string>>;

/**
 * A form that the server rejected, in the reader's language. `action`: the path that received it, if the page has forms
 * for several paths.
 */
export type RefusedValues = {
  fields: FormValues;
  sent: FormValues;
  /** The error of the whole form. Endpoints call it `message` and return it beside the field errors. */
  problem?: string | null;
  message?: string;
  action?: string;
};

/** Whether this page restores a form for `action`. A form that is usually in a dialog is then shown on the page. */
export const useIsReturned = (action: string): boolean => useContext(FormDraftContext)?.action === action;

type Options<Name extends string> = {
  /** Unique in the document; prefix of the field ids. */
  id: string;
  /** Path that receives the form; default: the page itself. */
  action?: string;
  /** Distinguishes several forms of one path; sent as `intent`. */
  intent?: string;
  /** The schema that the server uses for the form. */
  schema: z.ZodType;
  /** The label of each field, in page order. */
  labels: Readonly<Record<Name, string>>;
  /** Initial values. */
  values?: FormValues;
  refused?: RefusedValues | null;
};

/** One line of the summary; `href` links to the field, null for an error without a field. */
export type SummaryEntry = { name: string; href: `#${string}` | null; label: string; text: string };

/** The state of a form, as `usePortalForm` returns it. */
export type PortalFormState<Name extends string = string> = ReturnType<typeof usePortalForm<Name>>;

/**
 * A form with one schema for the server and, with script, for the browser. The browser validates a field on blur, then
 * on every input, and all fields on submit. Without script it is a plain form. Spread `field(name)` into a field and
 * `box(name)` into a checkbox; `PortalForm` renders the form and its summary.
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
    /** Whether the form was rejected or restored. A form that is usually in a dialog is then shown on the page. */
    returned: refused !== null || draft !== null,
    /** Whether the form holds values that the user typed before signing in again. */
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
    /** Hides the summary after a successful submission, if the form stays on the page. */
    forgetSummary,
    field: (name: Name) => ({ ...about(name), defaultValue: values[name] ?? "" }),
    box: (name: Name, value = "on") => ({ ...about(name), value, defaultChecked: values[name] === value }),
  };
}

/**
 * Returns the last non-null value while the form is mounted, because its texts are the field values. When the user
 * filters a list on the same page or turns its pages, the server's answer does not have the value.
 */
function useKept<Given>(value: Given | null): Given | null {
  const [lastValue, keep] = useState(value);
  if (value !== null && value !== lastValue) keep(value);
  return value ?? lastValue;
}

const hasFields = ({ fields }: RefusedValues): boolean => Object.keys(fields).length > 0;

function isOf(refused: RefusedValues | null | undefined, action?: string, intent?: string): refused is RefusedValues {
  if (!refused) return false;
  if (refused.action !== undefined && refused.action !== action) return false;
  return intent === undefined || refused.sent.intent === intent;
}

/** A form that was too long to store has no fields. */
const filled = (sent: FormValues | undefined) => (sent && Object.keys(sent).length > 0 ? sent : undefined);

/** Another form for the same path, such as one that deletes the object, has none of this form's fields. */
function useDraft({ action, intent, names }: { action: string; intent?: string; names: readonly string[] }) {
  const draft = useContext(FormDraftContext);
  if (draft === null || draft.action !== action || !names.some((name) => name in draft.sent)) return null;
  return intent === undefined || draft.sent.intent === intent ? draft.sent : null;
}

/** A rejected form in Conform's format. */
function resultOf({ fields, sent }: RefusedValues) {
  const error = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, [text]]));
  const validated = Object.fromEntries(Object.keys(fields).map((name) => [name, true]));
  return { status: "error" as const, initialValue: { ...sent }, error, state: { validated } };
}

/**
 * Wraps the schema so that it reads a form like the server: flat, and the first value of a repeated name counts. A
 * nested error belongs to its top-level field.
 */
function flat(schema: z.ZodType, formData: FormData, say: (text: string) => string) {
  return z.unknown().transform((_, context) => {
    const fields = new Map<string, string>();
    for (const [name, value] of formData)
      if (typeof value === "string" && !fields.has(name) && !name.startsWith("__")) fields.set(name, value);
    const read = schema.safeParse(Object.fromEntries(fields), { error: issueMessage });
    for (const { path, message } of read.error?.issues ?? [])
      context.addIssue({ code: "custom", path: path.slice(0, 1), message: say(message) });
    return Object.fromEntries(fields);
  });
}

const firstOfEach = (errors: Record<string, string[]>): Partial<FormValues> =>
  Object.fromEntries(Object.entries(errors).flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])));

/** The errors of the last submission. The summary stays unchanged while the user corrects one field after another. */
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
 * An error message that appears on blur must not move the button that the user is pressing: it waits for the
 * submission. Conform listens on the same root as React, but later.
 */
function keepInPlace({ relatedTarget, nativeEvent }: FocusEvent): void {
  if (isPressing && !(relatedTarget instanceof Element && relatedTarget.matches(TEXT)))
    nativeEvent.stopImmediatePropagation();
}
