import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take one to three minutes, mostly waiting: begun last, one of them would run on by itself when all others are done. */
export const LONGEST = [
  "tests/gateway/supplier-batches-killed.test.ts",
  "tests/gateway/supplier-batches.test.ts",
  "tests/gateway/ways-to-start.test.ts",
  "tests/gateway/description.test.ts",
  "tests/gateway/move-database.test.ts",
];

/** Vitest's own order, by what it knows of earlier runs or by size, with those first that are known to take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? LONGEST.length : place;
}
