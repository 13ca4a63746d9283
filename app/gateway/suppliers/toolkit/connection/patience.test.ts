import { expect, test } from "vitest";
import { GENERAL } from "~/domain/catalogue/profiles";
import { USUAL_PATIENCE } from "~/domain/catalogue/shared";
import { aRoute, aSupplier } from "~/domain/routing/__fixtures__/routes";
import { patienceOf } from "./patience";

const HOUR = 3_600_000;
const at = (upstreamModel: string, supplier: object) =>
  patienceOf({ ...aRoute({ supplier: aSupplier(supplier) }), upstreamModel });

test("a supplier is waited for as the catalogue says, and as usual where it says nothing", () => {
  expect(at("llama", USUAL_PATIENCE)).toEqual(USUAL_PATIENCE);
  expect(at("llama", { timeoutMs: 5_000, idleTimeoutMs: 7_000 })).toEqual({ timeoutMs: 5_000, idleTimeoutMs: 7_000 });
  expect(GENERAL.silence).toMatchObject({
    firstByteMs: USUAL_PATIENCE.timeoutMs,
    idleMs: USUAL_PATIENCE.idleTimeoutMs,
  });
});

test("a model whose profile has it think for an hour may be silent for so long, unless the catalogue says another time", () => {
  for (const model of ["gpt-5-pro", "gpt-5.5-pro", "o3-pro", "o3-deep-research"]) {
    expect(at(model, USUAL_PATIENCE)).toEqual({ timeoutMs: HOUR, idleTimeoutMs: HOUR });
    expect(at(model, { ...USUAL_PATIENCE, timeoutMs: 60_000 })).toEqual({ timeoutMs: 60_000, idleTimeoutMs: HOUR });
  }
});
