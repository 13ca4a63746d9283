import { describe, expect, test } from "vitest";
import { completeSettings, KEY_SETTINGS, NO_SETTINGS, settingAnswers, settingsOf, settingValues } from "./settings";

const names = Object.keys(KEY_SETTINGS) as (keyof typeof KEY_SETTINGS)[];
const json = (value: unknown) => JSON.parse(JSON.stringify(value));
const examples = Object.fromEntries(names.map((name) => [name, KEY_SETTINGS[name].example]));

describe.each(names)("%s", (name) => {
  const { input, output, none, example } = KEY_SETTINGS[name];

  test("is not set by null", () => {
    expect(input.parse(null)).toEqual(none);
  });

  test("is answered as described, and what is answered can be sent back", () => {
    for (const value of [none, example]) {
      const answer = json(settingAnswers(completeSettings(settingsOf({ [name]: value })))[name]);
      expect(output.parse(answer)).toEqual(answer);
      expect(input.parse(answer)).toEqual(value);
    }
  });
});

test("fields become settings and settings fields, each by its name", () => {
  const settings = completeSettings(settingsOf(examples));
  expect(settings).toMatchObject({ allowedModels: ["sandbox-chat"], rateLimitRpm: 60, expiresAt: expect.any(Date) });
  expect(settingValues(settings)).toEqual(examples);
});

test("a field that is left out is no setting, and a new key has none of it", () => {
  expect(settingsOf({ allowed_models: undefined, rate_limit_rpm: null })).toEqual({ rateLimitRpm: null });
  expect(completeSettings({ rateLimitRpm: 5 })).toEqual({ ...NO_SETTINGS, rateLimitRpm: 5 });
});
