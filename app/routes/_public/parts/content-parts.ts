import { createContext, type ReactNode, useContext } from "react";

/** Parts that a page supplies for its Markdown text. */
export type ContentParts = {
  /** Values of the placeholders `{{name}}`. */
  values?: Readonly<Record<string, string>>;
  /** Renderers of `<Name word="…" />`, called with the attributes. */
  components?: Readonly<Record<string, (words: Readonly<Record<string, string>>) => ReactNode>>;
  /**
   * Conditional callouts: shown as plain text if true, hidden if false. All other callouts are always shown, set apart.
   */
  holds?: Readonly<Record<string, boolean>>;
};

export const ContentPartsContext = createContext<ContentParts>({});

export const useContentParts = (): ContentParts => useContext(ContentPartsContext);

/** Returns a text with its placeholders filled in. */
export function filled(text: string, values: ContentParts["values"] = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
