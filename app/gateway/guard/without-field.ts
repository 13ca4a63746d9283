import { editMembers, topLevelMembers } from "~/http/body/json/json-surgery";
import type { Guarded } from "../canonical/guarded";

/**
 * Removes members from a JSON body, each given as a path, outermost member first. All other bytes stay. Null if the
 * body has none of them.
 */
export function withoutPlaces(
  body: string & Guarded,
  places: readonly (readonly string[])[],
): (string & Guarded) | null {
  const text = places.reduce<string>((rest, place) => without(rest, place), body);
  return text === body ? null : (text as string & Guarded);
}

function without(text: string, [name, ...inner]: readonly string[]): string {
  const members = topLevelMembers(text);
  const member = members.find(({ key }) => key === name);
  if (member === undefined || name === undefined) return text;
  if (inner.length === 0) return editMembers(text, members, { [name]: null });
  const value = text.slice(member.valueStart, member.valueEnd);
  if (!value.startsWith("{")) return text;
  const rest = without(value, inner);
  if (rest === value) return text;
  return editMembers(text, members, { [name]: topLevelMembers(rest).length === 0 ? null : rest });
}
