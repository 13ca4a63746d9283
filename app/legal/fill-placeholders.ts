/** Who runs this installation, as far as the configuration says. */
export type Operator = {
  name: string | null;
  address: string | null;
  email: string | null;
  country: string | null;
};

const WORDS: Readonly<Record<keyof Operator, string>> = {
  name: "the operator’s name",
  address: "the operator’s postal address",
  email: "the operator’s e-mail address",
  country: "the operator’s country",
};

/** Puts the operator's details in the place of `{{name}}`, `{{address}}`, `{{email}}` and `{{country}}`, as text and never as Markdown. */
export function fillPlaceholders(source: string, operator: Operator): { text: string; missing: string[] } {
  const missing = new Set<string>();
  const text = source.replace(/\{\{(\w+)\}\}/g, (placeholder, field: string) => {
    if (!Object.hasOwn(WORDS, field)) throw new Error(`${placeholder} is not a placeholder`);
    const value = operator[field as keyof Operator];
    if (value !== null) return escaped(value);
    missing.add(WORDS[field as keyof Operator]);
    return `**[${WORDS[field as keyof Operator]} is not set]**`;
  });
  return { text, missing: [...missing] };
}

const escaped = (value: string) => value.replace(/[\\`*_{}[\]()#+\-.!|<>~&:@]/g, "\\$&");
