import { expect, test } from "vitest";
import { sandboxCatalogue } from "~/domain/catalogue/sandbox-catalogue";
import { SANDBOX_FAULTS } from "~/gateway/suppliers/sandbox/faults";

test("every fault of the sandbox is a model of the catalogue that a new installation starts with", () => {
  const listed = sandboxCatalogue.models.map(({ id }) => id).filter((id) => id.startsWith("sandbox-fault-"));
  expect(listed.toSorted()).toEqual(SANDBOX_FAULTS.map(({ model }) => model).toSorted());
});
