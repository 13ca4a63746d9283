import { createContext } from "react";

/** What somebody had typed before they had to sign in or to prove who they are, for the form that is sent to `action`. */
export type FormDraft = { action: string; sent: Readonly<Record<string, string>> };

/** The draft that this page gives back; whoever frames the page provides it. */
export const FormDraftContext = createContext<FormDraft | null>(null);
