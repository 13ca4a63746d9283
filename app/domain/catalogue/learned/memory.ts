/** Rejected fields by supplier and model, with their expiry in milliseconds. In the memory of one process. */
const learned = new Map<string, Map<string, number>>();

const NONE: readonly string[] = Object.freeze([]);
/** Maximum number of models of suppliers in memory. Model names come from the catalogue, so there are fewer. */
const MAX_PLACES = 10_000;

const placeOf = (supplier: string, model: string): string => `${supplier}\n${model}`;

/** Returns the fields to omit for a supplier's model, by its upstream name. */
export function refusedFields(supplier: string, model: string, nowMs: number): readonly string[] {
  if (learned.size === 0) return NONE;
  const fields = learned.get(placeOf(supplier, model));
  if (fields === undefined) return NONE;
  for (const [field, untilMs] of fields) if (untilMs <= nowMs) fields.delete(field);
  return fields.size === 0 ? NONE : [...fields.keys()];
}

/** Stores a rejected field; a repetition extends its expiry. */
export function rememberRefusal(
  { supplier, model, field }: { supplier: string; model: string; field: string },
  untilMs: number,
): void {
  if (learned.size >= MAX_PLACES) learned.clear();
  const location = placeOf(supplier, model);
  const fields = learned.get(location) ?? new Map<string, number>();
  learned.set(location, fields.set(field, untilMs));
}

/** Deletes all refusals of this process. */
export const forgetRefusals = (): void => learned.clear();
