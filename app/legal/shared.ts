import type { Block } from "~/content/shared";

/** The legal documents, in the order in which people read them; each has an address under /legal and a folder here. */
export const LEGAL_NAMES = ["terms", "aup", "privacy", "cookies", "dpa", "refund", "billing", "security"] as const;
export type LegalName = (typeof LEGAL_NAMES)[number];

/** Those that a person accepts; a new version of one of them has to be accepted again. */
export const ACCEPTED_NAMES = ["terms", "aup", "privacy"] as const satisfies readonly LegalName[];

/** A document as it is read: parsed Markdown, with the operator's details filled in. */
export type LegalDocument = {
  name: LegalName;
  title: string;
  /** The day from which it holds, as an ISO date; the newest day is the version in force. */
  version: string;
  /** The first paragraph as plain text. */
  summary: string;
  isCurrent: boolean;
  blocks: readonly Block[];
  outline: readonly { id: string; title: string }[];
  /** What the operator has not filled in and this document names. */
  missing: readonly string[];
};
