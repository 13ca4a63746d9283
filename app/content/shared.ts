import type { Language } from "~/i18n/languages";

/** The pages that are written in Markdown, each in a folder of this name. */
export const CONTENT_NAMES = [
  "home",
  "features",
  "pricing",
  "guide",
  "security",
  "platform",
  "certifications",
  "partners",
  "resources",
  "developers",
  "agents",
  "contact",
  "controls",
  "architecture",
  "reference",
  "errors",
  "models",
] as const;
export type ContentName = (typeof CONTENT_NAMES)[number];

/** Pages in English only. The page tells readers of other languages that it is in English. */
export const ENGLISH_ONLY: readonly ContentName[] = [
  "platform",
  "certifications",
  "partners",
  "resources",
  "developers",
  "agents",
  "contact",
  "controls",
  "architecture",
  "reference",
  "errors",
  "models",
];

/** A page of prose in one language. */
export type Content = {
  /** The language of the text: the reader's, or English. */
  language: Language;
  /** Title and description for the HTML head. */
  title: string;
  description: string;
  heading: string;
  lead: readonly Inline[];
  /** Action links at the top of the page. */
  actions: readonly Link[];
  /** The content before the first section. */
  opening: readonly Block[];
  sections: readonly Section[];
  /** Links to further pages; `text` describes them. */
  next: readonly (Link & { text: string })[];
};

export type Link = { href: string; name: string };
export type Section = { id: string; title: string; blocks: readonly Block[] };

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "break" }
  | { kind: "strong" | "emphasis"; inner: readonly Inline[] }
  | { kind: "link"; href: string; inner: readonly Inline[] };

export type Block =
  | { kind: "heading"; level: 2 | 3; id: string; inner: readonly Inline[] }
  | { kind: "paragraph"; inner: readonly Inline[] }
  | { kind: "list"; ordered: boolean; items: readonly (readonly Block[])[] }
  | { kind: "table"; head: readonly (readonly Inline[])[]; rows: readonly (readonly (readonly Inline[])[])[] }
  | { kind: "quote"; blocks: readonly Block[] }
  /** An example. `name` is its title. */
  | { kind: "code"; name: string; text: string }
  /** Set apart from the text. Pages decide by `name` whether it is shown. */
  | { kind: "callout"; name: string; blocks: readonly Block[] }
  /** A component within the prose; the page maps `name` to it. */
  | { kind: "component"; name: string; words: Readonly<Record<string, string>> };
