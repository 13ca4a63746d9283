import { expect, test } from "vitest";
import type { PortalKey } from "~/domain/keys/shared";
import { valuesOf } from "./form-values";
import { KeyActionForm } from "./key-form.schema";

const key = { name: "k", budget: null, rateLimitRpm: null, project: null, metadata: {} };
const lists = { allowedModels: [], allowedRegions: [], allowedOrigins: [] };

test.each([
  ["2026-12-31T23:59:59.000Z", "2026-12-31T23:59:59"],
  ["2026-12-31T08:30:00.000Z", "2026-12-31T08:30"],
])("a key that expires at %s still does when its form is saved", (expiresAt, shown) => {
  const values = valuesOf({ ...key, ...lists, expiresAt: new Date(expiresAt) } as unknown as PortalKey);
  expect(values.expires_at).toBe(shown);
  expect(KeyActionForm.parse({ intent: "update", ...values })).toMatchObject({ expires_at: new Date(expiresAt) });
});
