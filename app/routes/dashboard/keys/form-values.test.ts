import { expect, test } from "vitest";
import { KEY_SETTINGS, settingsOf } from "~/domain/keys/shared";
import { KeyActionForm } from "./key-form.schema";
import { valuesOf } from "./PolicyFields";

const fields = Object.entries(KEY_SETTINGS);
const examples = Object.fromEntries(fields.map(([name, { example }]) => [name, example]));
const nothing = Object.fromEntries(fields.map(([name, { none }]) => [name, none]));

/** The form of a key with some settings, as browsers send it. */
function sent(settings: Record<string, unknown>) {
  const key = { name: "k", budget: null, project: null, ...settingsOf({ ...nothing, ...settings }) };
  return {
    intent: "update",
    allowed_models: "",
    allowed_regions: "",
    ...valuesOf(key as Parameters<typeof valuesOf>[0]),
  };
}

test.each([
  ["2026-12-31T23:59:59.000Z", "2026-12-31T23:59:59"],
  ["2026-12-31T08:30:00.000Z", "2026-12-31T08:30"],
])("a key that expires at %s still does when its form is saved", (expiresAt, shown) => {
  const values = sent({ expires_at: new Date(expiresAt) });
  expect(values).toMatchObject({ expires_at: shown });
  expect(KeyActionForm.parse(values)).toMatchObject({ expires_at: new Date(expiresAt) });
});

test("a form that is sent as it was shown changes no setting", () => {
  for (const settings of [nothing, examples]) {
    const read = KeyActionForm.parse(sent(settings));
    expect(read).toMatchObject({ name: "k", budget_limit: null, project_id: null, ...settings });
  }
});
