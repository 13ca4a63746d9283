import type { Inline } from "./shared";

/** The text of inline Markdown without formatting. */
export function plainTextOf(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.kind === "break") return " ";
      return "inner" in inline ? plainTextOf(inline.inner) : inline.text;
    })
    .join("");
}
