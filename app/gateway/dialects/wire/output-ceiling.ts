import { editMembers, type Member } from "~/http/body/json/json-surgery";
import type { OutputCeiling } from "../dialect";

type Source = { text: string; members: readonly Member[]; body: Readonly<Record<string, unknown>> };

/**
 * Returns the field with the output ceiling of a body: the first of `fields` in the body, else the last one, to be
 * added. Called only for rejected requests.
 */
export function outputCeilingOf({ text, members, body }: Source, fields: readonly string[]): OutputCeiling {
  const present = fields.filter((field) => body[field] != null);
  const chosen = present.length > 0 ? present : fields.filter((field) => Object.hasOwn(body, field)).slice(0, 1);
  const field = chosen[0] ?? fields.at(-1)!;
  return {
    field,
    bodyBytesWith: (tokens) =>
      Buffer.byteLength(text) +
      (chosen.length > 0 ? exchanged(members, chosen, tokens) : added(text, members, field) + String(tokens).length),
    textWith: (tokens) =>
      editMembers(
        text,
        members,
        Object.fromEntries((chosen.length > 0 ? chosen : [field]).map((name) => [name, `${tokens}`])),
      ),
  };
}

const exchanged = (members: readonly Member[], names: readonly string[], tokens: number): number =>
  members
    .filter(({ key }) => names.includes(key))
    .reduce((more, { valueStart, valueEnd }) => more + String(tokens).length - (valueEnd - valueStart), 0);

/** Returns the bytes that the added field needs, with blanks after comma and colon if the body has them. */
function added(text: string, members: readonly Member[], field: string): number {
  const first = members[0]?.valueStart ?? 0;
  const separators = text.charAt(first - 1) === " " ? ', "": ' : ',"":';
  return separators.length + field.length;
}
