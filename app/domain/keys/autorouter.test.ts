import { expect, test } from "vitest";
import { effectiveAutorouter, settingOfKey } from "./autorouter";

const setting = (autorouter: string | null, autorouterDefault: string | null = null) => ({
  autorouter,
  autorouterDefault,
});

test("the narrowest setting holds, each field by itself, and says whose it is", () => {
  const organisation = setting("off", "large");
  expect(effectiveAutorouter({ key: null, user: null, organisation: null })).toEqual({
    ...{ algorithm: "balanced", algorithmFrom: "installation", defaultModel: null, defaultFrom: "installation" },
  });
  expect(effectiveAutorouter({ key: setting(null), user: setting("cheapest"), organisation })).toEqual({
    ...{ algorithm: "cheapest", algorithmFrom: "user", defaultModel: "large", defaultFrom: "organisation" },
  });
  const key = settingOfKey({ autorouter: "quality", autorouter_default: "small", team: "x" });
  expect(effectiveAutorouter({ key, user: setting("off"), organisation })).toEqual({
    ...{ algorithm: "quality", algorithmFrom: "key", defaultModel: "small", defaultFrom: "key" },
  });
});

test("metadata that says nothing is no setting", () => {
  for (const metadata of [null, {}, { autorouter: "" }, { autorouter: 7 }, "off"])
    expect(settingOfKey(metadata)).toEqual(setting(null));
});
