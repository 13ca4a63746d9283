import { expect, test } from "vitest";
import type { Model } from "~/domain/catalogue/shared";
import { autoRole } from "./auto-role";

const model: Model = { id: "m", ownedBy: "x", capability: "chat", contextTokens: 1_000, maxOutputTokens: 100 };

test("a chat model is a candidate, with the abilities that are stated and those of which nobody knows", () => {
  expect(autoRole(model)).toEqual({ tools: "unknown", images: "unknown", quality: null });
  expect(autoRole({ ...model, tools: true, images: false, quality: 70 })).toEqual({
    ...{ tools: "yes", images: "no", quality: 70 },
  });
});

test("what is no chat model, or is left out on purpose, is a candidate for nothing", () => {
  expect(autoRole({ ...model, capability: "embedding" })).toBeNull();
  expect(autoRole({ ...model, auto: false, tools: true })).toBeNull();
});
