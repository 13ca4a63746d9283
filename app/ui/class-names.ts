/** Joins the classes that apply. Returns undefined if there are none, so that no empty attribute is written. */
export const classNames = (...names: (string | false | null | undefined)[]): string | undefined =>
  names.filter(Boolean).join(" ") || undefined;
