import type { Language } from "~/i18n/languages";

/** The pages whose words are Markdown, each in a folder of this name. */
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

/** Pages that are written in English only, and say so to readers of other languages. */
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

/** A page of prose in one language. Its words are parsed once, when the process starts. */
export type Content = {
  /** The language of the words: the reader's, or English. */
  language: Language;
  /** For the head of the page. */
  title: string;
  description: string;
  heading: string;
  lead: readonly Inline[];
  /** What one can do at once: links. */
  actions: readonly Link[];
  /** What stands before the first section. */
  opening: readonly Block[];
  sections: readonly Section[];
  /** Where to go from here; `text` says what is there. */
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
  /** An example. `name` says what it is. */
  | { kind: "code"; name: string; text: string }
  /** Set apart from the text. Pages decide whether those of a name are shown. */
  | { kind: "callout"; name: string; blocks: readonly Block[] }
  /** Something that is not prose, in its place: the page knows what stands behind the name. */
  | { kind: "component"; name: string; words: Readonly<Record<string, string>> };
