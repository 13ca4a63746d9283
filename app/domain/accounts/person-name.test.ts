import { expect, test } from "vitest";
import { PersonNameField } from "./shared";

test.each(["Zoë", "李小龍", "محمد علی", "سه\u200cنقطه", "👩\u200d👧 Ada", "O'Neil <o@example.com>"])(
  "%j is a name",
  (name) => expect(PersonNameField.safeParse(name).data).toBe(name),
);

test.each([
  ["a line break", "a\nb"],
  ["a NUL", "a\0b"],
  ["half of a surrogate pair, which the audit trail cannot keep", "a\ud800"],
  ["a mark that turns the text behind it", "moc.elpmaxe@nimda \u202e"],
  ["nothing that can be seen", "\u200b\u2060"],
])("no name has %s", (_, name) => expect(PersonNameField.safeParse(name).success).toBe(false));
