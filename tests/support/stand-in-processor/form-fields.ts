/** Fields of a form body; names with brackets are nested, such as `metadata[a]=1`. */
export type Fields = { [name: string]: string | Fields };

export function formFields(text: string): Fields {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== "");
    const last = path.pop() as string;
    let at = fields;
    for (const part of path) {
      at[part] ??= {};
      at = at[part] as Fields;
    }
    at[last] = value;
  }
  return fields;
}
