import { createContext } from "react";

/** The values that a user typed before a required sign-in or identity check, for the form that is sent to `action`. */
export type FormDraft = { action: string; sent: Readonly<Record<string, string>> };

/** The draft to restore on this page; provided by the page's layout. */
export const FormDraftContext = createContext<FormDraft | null>(null);
