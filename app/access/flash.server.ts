import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import type { MessageKey } from "~/errors/message";
import { say, translateText } from "~/errors/say.server";
import type { Language } from "~/i18n/languages";
import { seal, unseal } from "~/sealing/sealing.server";
import { clearCookie, readCookie, setCookie } from "./cookies";
import { languageOf } from "./language.server";

type Context = Readonly<RouterContextProvider>;

/**
 * One message for the next page. `text`: the displayed text, or a key of the language files ("keys:revoked"). `undo`:
 * the sealed act, for the button that undoes it; left out if the cookie would be too long.
 */
export type Toast = {
  kind: "good" | "bad";
  text: string;
  values?: Readonly<Record<string, string | number>>;
  undo?: string;
};

/** A rejected form, to fill it in again on its page: messages and values by field, without passwords. */
export type RefusedForm = {
  /** The path that the form was sent to. */
  action: string;
  code: string;
  /** The message about the form as a whole. */
  message: string;
  fields: Readonly<Record<string, string>>;
  sent: Readonly<Record<string, string>>;
};

/** A secret that one page shows once. */
export type ShownOnce = { kind: string; secret: string; label?: string };

/** A secret that pages show to one person until they confirm that it is stored, at most 15 minutes. */
export type UnstoredSecret = ShownOnce & { userId: number };
type KeptOnce = ShownOnce & Partial<UnstoredSecret & { untilMs: number }>;

/** Input in a form of `page` by a person who must first sign in again or confirm their identity; without passwords. */
export type Draft = { userId: number; page: string; action: string; sent: Readonly<Record<string, string>> };
type KeptDraft = Draft & { untilMs: number };

/** The values before a change, which the next page offers to restore by a form to `action`. */
export type UndoForm = { action: string; name: string; fields: Readonly<Record<string, string>> };

type Kept = { undo: UndoForm; toast: Toast; form: RefusedForm; draft: KeptDraft; once: KeptOnce };
type Kind = keyof Kept;

/** Lifetimes of the cookies in seconds; a minute is enough to follow a redirect. */
const KEPT_SECONDS: Readonly<Record<Kind, number>> = { undo: 60, toast: 60, form: 60, draft: 900, once: 900 };
const MAX_COOKIE_CHARACTERS = 3_500;

const requestContext = createContext<{ request: Request; taken: Set<Kind> } | null>(null);

/** Redirects to a page of this portal, which shows the message. */
export function redirectWithToast(to: string, toast: Toast, headers?: HeadersInit): Response {
  return redirectWith(to, [flashCookie("toast", toast)], headers);
}

/** Redirects to a page of this portal, and sets cookies. */
export function redirectWith(to: string, cookies: readonly string[], headers?: HeadersInit): Response {
  const response = new Response(null, { status: 303, headers });
  response.headers.set("location", to);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/**
 * Returns the Set-Cookie header that passes content to the next page. It is sealed: others can neither read nor forge
 * it.
 */
export function flashCookie<K extends Kind>(kind: K, content: Kept[K]): string {
  const sealed = sealedToFit(kind, versionsOf(kind, content));
  return setCookie(nameOf(kind), sealed, { maxAgeSeconds: KEPT_SECONDS[kind] });
}

/** Returns the Set-Cookie header that stores a draft for 15 minutes; null for a draft that is too long. */
export function draftCookie(draft: Draft): string | null {
  const stored: KeptDraft = { ...draft, untilMs: Date.now() + KEPT_SECONDS.draft * 1_000 };
  const cookie = flashCookie("draft", stored);
  return cookie.length > MAX_COOKIE_CHARACTERS ? null : cookie;
}

/** Returns the Set-Cookie header that stores a secret until its owner confirms that they have stored it. */
export const secretCookie = (secret: UnstoredSecret): string =>
  flashCookie("once", { ...secret, untilMs: Date.now() + KEPT_SECONDS.once * 1_000 });

/** Returns the Set-Cookie header that removes the secret. */
export const noSecretCookie = (): string => clearCookie(nameOf("once"));

/** Returns the Set-Cookie header that removes a draft. */
export const noDraftCookie = (): string => clearCookie(nameOf("draft"));

/**
 * The content and its shorter versions for a cookie that would be too long: a form without the input, then without the
 * messages of fields; a toast without its undo.
 */
function versionsOf<K extends Kind>(kind: K, content: Kept[K]): object[] {
  if (kind === "form") return [content, { ...content, sent: {} }, { ...content, sent: {}, fields: {} }];
  return kind === "toast" ? [content, { ...content, undo: undefined }] : [content];
}

function sealedToFit(kind: Kind, contents: readonly object[]): string {
  let sealed = "";
  for (const content of contents) {
    sealed = seal(JSON.stringify(content), associatedData(kind));
    if (sealed.length <= MAX_COOKIE_CHARACTERS) break;
  }
  return sealed;
}

/** Returns the message for this page in the reader's language, or null. This response removes it. */
export function toastOf(context: Context): Pick<Toast, "kind" | "text" | "undo"> | null {
  const toast = take(context, "toast");
  return toast && { kind: toast.kind, text: textOfToast(toast, languageOf(context)), undo: toast.undo };
}

const textOfToast = ({ text, values }: Toast, language: Language): string =>
  values === undefined ? translateText(text, language) : say({ key: text as MessageKey, values }, language);

/**
 * Returns the form that was just rejected, if it was sent to `action`, with messages in the reader's language. This
 * response removes it.
 */
export function refusedFormOf(context: Context, action: string | ((action: string) => boolean)): RefusedForm | null {
  const form = take(context, "form");
  if (form === null || !(typeof action === "string" ? form.action === action : action(form.action))) return null;
  const fields = Object.entries(form.fields).map(([name, text]) => [name, translateText(text, languageOf(context))]);
  return { ...form, message: translateText(form.message, languageOf(context)), fields: Object.fromEntries(fields) };
}

/** Returns the change that this page may undo, or null. This response removes it. */
export const undoOf = (context: Context): UndoForm | null => take(context, "undo");

/**
 * Returns the draft of `userId` for the page at `path`; null for another user. This response removes the draft, unless
 * it is for another page.
 */
export function draftOf(context: Context, { path, userId }: { path: string; userId: number }): Draft | null {
  const draft = take(context, "draft");
  if (draft === null || draft.userId !== userId || draft.untilMs < Date.now()) return null;
  if (draft.page === path) return draft;
  leave(context, "draft");
  return null;
}

/** Returns the secret that this page shows, or null. This response removes it: reloading does not show it again. */
export function shownOnceOf(context: Context): ShownOnce | null {
  const once = take(context, "once");
  if (once?.userId === undefined) return once;
  leave(context, "once");
  return null;
}

/** Returns the secret that `userId` has not stored yet; null for another user. The next page shows it again. */
export function unstoredSecretOf(context: Context, { userId }: { userId: number }): ShownOnce | null {
  const once = take(context, "once");
  if (once?.userId !== undefined && (once.userId !== userId || (once.untilMs ?? 0) < Date.now())) return null;
  leave(context, "once");
  return once?.userId === undefined ? null : once;
}

const leave = (context: Context, kind: Kind): boolean => context.get(requestContext)?.taken.delete(kind) ?? false;

/** Lets loaders read the content that an earlier response stored, and removes it from the browser afterwards. */
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
    // Sealed with another GW_SECRET, or forged.
    return null;
  }
}

const nameOf = (kind: Kind): string => `gw_${kind}`;
const associatedData = (kind: Kind): string => `cookie:${kind}`;
