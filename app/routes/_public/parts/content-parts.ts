import { createContext, type ReactNode, useContext } from "react";

/** What a page gives to its prose. */
export type ContentParts = {
  /** What stands in the place of `{{name}}`. */
  values?: Readonly<Record<string, string>>;
  /** What `<Name word="…" />` shows, with the words of its attributes. */
  components?: Readonly<Record<string, (words: Readonly<Record<string, string>>) => ReactNode>>;
  /** Callouts that hold only sometimes: shown as plain text where they do. Others are always shown, set apart. */
  holds?: Readonly<Record<string, boolean>>;
};

export const ContentPartsContext = createContext<ContentParts>({});

export const useContentParts = (): ContentParts => useContext(ContentPartsContext);

/** A text with its placeholders filled in. */
export function filled(text: string, values: ContentParts["values"] = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
