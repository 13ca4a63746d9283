/** Fields that suppliers have refused for models, with the moment until which that holds, in milliseconds. Memory of one process. */
const learned = new Map<string, Map<string, number>>();

const NONE: readonly string[] = Object.freeze([]);
/** So many models of suppliers are remembered; names of models come from the catalogue, so there are no more. */
const MAX_PLACES = 10_000;

const placeOf = (supplier: string, model: string): string => `${supplier}\n${model}`;

/** The fields that a supplier has refused for a model, by the name that it has there, and that are left out until then. */
export function refusedFields(supplier: string, model: string, nowMs: number): readonly string[] {
  if (learned.size === 0) return NONE;
  const fields = learned.get(placeOf(supplier, model));
  if (fields === undefined) return NONE;
  for (const [field, untilMs] of fields) if (untilMs <= nowMs) fields.delete(field);
  return fields.size === 0 ? NONE : [...fields.keys()];
}

/** Remembers a field; repeating it puts the end off. */
export function rememberRefusal(
  { supplier, model, field }: { supplier: string; model: string; field: string },
  untilMs: number,
): void {
  if (learned.size >= MAX_PLACES) learned.clear();
  const place = placeOf(supplier, model);
  const fields = learned.get(place) ?? new Map<string, number>();
  learned.set(place, fields.set(field, untilMs));
}

/** Forgets everything. */
export const forgetRefusals = (): void => learned.clear();
