type Refused = { fields: Readonly<Record<string, string>>; sent?: Readonly<Record<string, string>> };

/**
 * Returns the state of a rejected form's fields: typed values, errors, and focus on the first field with an error.
 * `names`: the fields in page order.
 */
export function refusedFields(form: Refused | null | undefined, names: readonly string[]) {
  const { fields = {}, sent = {} } = form ?? {};
  const first = names.find((name) => fields[name] !== undefined);
  return (name: string) => ({ problem: fields[name], defaultValue: sent[name], autoFocus: name === first });
}
