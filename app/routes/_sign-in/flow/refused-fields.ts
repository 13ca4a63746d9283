type Refused = { fields: Readonly<Record<string, string>>; sent?: Readonly<Record<string, string>> };

/**
 * What the fields of a form show again after it was refused: what was typed, what is wrong with it, and the cursor in the first
 * field at fault. `names`: the fields as they stand on the page.
 */
export function refusedFields(form: Refused | null | undefined, names: readonly string[]) {
  const { fields = {}, sent = {} } = form ?? {};
  const first = names.find((name) => fields[name] !== undefined);
  return (name: string) => ({ problem: fields[name], defaultValue: sent[name], autoFocus: name === first });
}
