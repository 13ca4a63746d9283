import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import type { MessageKey } from "~/errors/message";
import { say, sayText } from "~/errors/say.server";
import type { Language } from "~/i18n/languages";
import { seal, unseal } from "~/sealing.server";
import { clearCookie, readCookie, setCookie } from "./cookies";
import { languageOf } from "./language.server";

type Context = Readonly<RouterContextProvider>;

/** One message that the next page shows. `text` is what people read, or a key of the language files ("keys:revoked"). */
export type Toast = { kind: "good" | "bad"; text: string; values?: Readonly<Record<string, string | number>> };

/** A form that was refused, for the page that has it to be filled in again: messages and values by field, no password. */
export type RefusedForm = {
  /** The path that the form was sent to. */
  action: string;
  code: string;
  /** What was wrong as a whole. */
  message: string;
  fields: Readonly<Record<string, string>>;
  sent: Readonly<Record<string, string>>;
};

/** A secret that one page shows one time. */
export type ShownOnce = { kind: string; secret: string; label?: string };

/** A secret that its pages show to one person until they say that it is stored, for a quarter of an hour at most. */
export type UnstoredSecret = ShownOnce & { userId: number };
type KeptOnce = ShownOnce & Partial<UnstoredSecret & { untilMs: number }>;

/** What somebody has typed into a form of `page` before they had to sign in again, or to prove who they are; no password. */
export type Draft = { userId: number; page: string; action: string; sent: Readonly<Record<string, string>> };
type KeptDraft = Draft & { untilMs: number };

type Kept = { toast: Toast; form: RefusedForm; draft: KeptDraft; once: KeptOnce };
type Kind = keyof Kept;

/** Longer than anybody takes to follow a redirect. */
const KEPT_SECONDS: Readonly<Record<Kind, number>> = { toast: 60, form: 60, draft: 900, once: 900 };
const MAX_COOKIE_CHARACTERS = 3_500;

const requestContext = createContext<{ request: Request; taken: Set<Kind> } | null>(null);

/** Goes to a page of this portal, which then shows the message. */
export function redirectWithToast(to: string, toast: Toast, headers?: HeadersInit): Response {
  return redirectWith(to, [flashCookie("toast", toast)], headers);
}

/** Goes to a page of this portal with cookies on the way. */
export function redirectWith(to: string, cookies: readonly string[], headers?: HeadersInit): Response {
  const response = new Response(null, { status: 303, headers });
  response.headers.set("location", to);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** The Set-Cookie header that hands something to the next page. Sealed: nobody else can read it or make one up. */
export function flashCookie<K extends Kind>(kind: K, content: Kept[K]): string {
  const sealed = sealedToFit(kind, kind === "form" ? shorterForms(content as RefusedForm) : [content]);
  return setCookie(nameOf(kind), sealed, { maxAgeSeconds: KEPT_SECONDS[kind] });
}

/** The Set-Cookie header that keeps a draft for a quarter of an hour; null for one that is too long to be kept. */
export function draftCookie(draft: Draft): string | null {
  const kept: KeptDraft = { ...draft, untilMs: Date.now() + KEPT_SECONDS.draft * 1_000 };
  const cookie = flashCookie("draft", kept);
  return cookie.length > MAX_COOKIE_CHARACTERS ? null : cookie;
}

/** The Set-Cookie header that keeps a secret until its person says that they have stored it. */
export const secretCookie = (secret: UnstoredSecret): string =>
  flashCookie("once", { ...secret, untilMs: Date.now() + KEPT_SECONDS.once * 1_000 });

/** The Set-Cookie header that forgets the secret. */
export const noSecretCookie = (): string => clearCookie(nameOf("once"));

/** The Set-Cookie header that forgets a draft. */
export const noDraftCookie = (): string => clearCookie(nameOf("draft"));

/** Of a form that is too long for a cookie, its message is what counts, then what was wrong with each field. */
const shorterForms = (form: RefusedForm) => [form, { ...form, sent: {} }, { ...form, sent: {}, fields: {} }];

function sealedToFit(kind: Kind, contents: readonly object[]): string {
  let sealed = "";
  for (const content of contents) {
    sealed = seal(JSON.stringify(content), associatedData(kind));
    if (sealed.length <= MAX_COOKIE_CHARACTERS) break;
  }
  return sealed;
}

/** The message that this page has to show, in the reader's language, or null. It is gone with this answer. */
export function toastOf(context: Context): Pick<Toast, "kind" | "text"> | null {
  const toast = take(context, "toast");
  return toast && { kind: toast.kind, text: textOfToast(toast, languageOf(context)) };
}

const textOfToast = ({ text, values }: Toast, language: Language): string =>
  values === undefined ? sayText(text, language) : say({ key: text as MessageKey, values }, language);

/**
 * The form that was refused just now, when it was sent to `action`; its messages in the reader's language. It is gone
 * with this answer.
 */
export function refusedFormOf(context: Context, action: string | ((action: string) => boolean)): RefusedForm | null {
  const form = take(context, "form");
  if (form === null || !(typeof action === "string" ? form.action === action : action(form.action))) return null;
  const fields = Object.entries(form.fields).map(([name, text]) => [name, sayText(text, languageOf(context))]);
  return { ...form, message: sayText(form.message, languageOf(context)), fields: Object.fromEntries(fields) };
}

/**
 * What `userId` had typed into a form of the page at `path`; null for anybody else. It is gone with this answer, unless it is
 * for another page of theirs.
 */
export function draftOf(context: Context, { path, userId }: { path: string; userId: number }): Draft | null {
  const draft = take(context, "draft");
  if (draft === null || draft.userId !== userId || draft.untilMs < Date.now()) return null;
  if (draft.page === path) return draft;
  leave(context, "draft");
  return null;
}

/** The secret that this page shows, or null. It is gone with this answer: reloading does not show it again. */
export function shownOnceOf(context: Context): ShownOnce | null {
  const once = take(context, "once");
  if (once?.userId === undefined) return once;
  leave(context, "once");
  return null;
}

/** The secret that `userId` has not stored yet; null for anybody else. It is there again on the next page. */
export function unstoredSecretOf(context: Context, { userId }: { userId: number }): ShownOnce | null {
  const once = take(context, "once");
  if (once?.userId !== undefined && (once.userId !== userId || (once.untilMs ?? 0) < Date.now())) return null;
  leave(context, "once");
  return once?.userId === undefined ? null : once;
}

const leave = (context: Context, kind: Kind): boolean => context.get(requestContext)?.taken.delete(kind) ?? false;

/** Lets loaders take what an earlier answer handed over, and removes from the browser what was taken. */
export const flash: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const taken = new Set<Kind>();
  context.set(requestContext, { request, taken });
  const response = await next();
  const renewed = response.headers.getSetCookie();
  for (const kind of taken) {
    if (!renewed.some((cookie) => cookie.startsWith(`${nameOf(kind)}=`)))
      response.headers.append("set-cookie", clearCookie(nameOf(kind)));
  }
  return response;
};

function take<K extends Kind>(context: Context, kind: K): Kept[K] | null {
  const here = context.get(requestContext);
  const sealed = here && readCookie(here.request, nameOf(kind));
  if (!sealed) return null;
  here.taken.add(kind);
  try {
    return JSON.parse(unseal(sealed, associatedData(kind))) as Kept[K];
  } catch {
    // Made with another GW_SECRET, or by somebody else.
    return null;
  }
}

const nameOf = (kind: Kind): string => `gw_${kind}`;
const associatedData = (kind: Kind): string => `cookie:${kind}`;
