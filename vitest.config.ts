import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };

const ALONE = ["tests/attack/limits.test.ts"];

/** Small files with a long run time: at the end of a run, one of them would run alone. */
const LONGEST = [
  "ways-to-start",
  "description",
  "supplier-batches-killed",
  "move-database",
  "token-pool",
  "server-role",
  "authorisation",
  "alerts-killed",
  "schedules-killed",
  "supplying",
  "seed",
].map((name) => `/${name}.`);

/** Vitest starts with the largest files if it has no times of an earlier run. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placed = (await super.sort(files)).map((file) => {
      const place = LONGEST.findIndex((name) => file.moduleId.includes(name));
      return { file, group: file.project.config.sequence.groupOrder, place: place < 0 ? LONGEST.length : place };
    });
    return placed.toSorted((a, b) => a.group - b.group || a.place - b.place).map(({ file }) => file);
  }
}

/** Tests of a module's initial state: the tests of another file must not have used the module. */
const FRESH = "app/**/*.fresh.db.test.ts";

/** A busy machine takes its time; only a failure waits so long. */
const PATIENT = { poll: { timeout: 30_000 } };

/** Tests that need a database; a run on PostgreSQL (TEST_DATABASE_URL) covers concurrency as well. */
const ON_A_DATABASE = {
  globalSetup: ["tests/support/database-setup.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: PATIENT,
  // Most of the time is spent waiting for the database's disk.
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
};

/** Tests of the built server. */
const BLACK_BOX = {
  globalSetup: ["tests/support/database-setup.ts"],
  setupFiles: ["tests/support/described/check-answers.setup.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: PATIENT,
};

export default defineConfig({
  resolve: { alias },
  test: {
    sequence: { sequencer: LongestFirst },
    // All projects, and the next run, reuse transformed modules.
    experimental: { fsModuleCache: true },
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["{app,scripts}/**/*.test.ts", "app/**/*.test.tsx", "tests/contract/**/*.test.ts"],
          exclude: ["{app,scripts}/**/*.db.test.ts", "app/**/*.mock.test.ts"],
          // Tests of many inputs take seconds on a busy machine.
          testTimeout: 20_000,
          maxWorkers: 2,
          // Reading the modules again for each of 200 files took longer than all their tests.
          isolate: false,
        },
      },
      {
        // A mock must be registered before any file reads the module: each file has its own modules.
        resolve: { alias },
        test: { name: "mock", include: ["app/**/*.mock.test.ts"], maxWorkers: 2 },
      },
      {
        resolve: { alias },
        test: {
          name: "database",
          include: ["app/**/*.db.test.ts", "scripts/**/*.db.test.ts"],
          exclude: [FRESH],
          ...ON_A_DATABASE,
          isolate: false,
        },
      },
      { resolve: { alias }, test: { name: "fresh", include: [FRESH], ...ON_A_DATABASE } },
      {
        // Black box: the built server, a stand-in supplier, real HTTP.
        resolve: { alias },
        test: {
          name: "gateway",
          include: ["tests/gateway/**/*.test.ts", "tests/portal/**/*.test.ts", "tests/attack/**/*.test.ts"],
          exclude: ALONE,
          ...BLACK_BOX,
          // They test other processes; their own imports are read once per worker.
          isolate: false,
          // Most of the time is spent waiting for limits and timeouts of real servers: four files at once, after all
          // others.
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Tests that measure event-loop delays: nothing else may run at the same time.
        resolve: { alias },
        test: { name: "alone", include: ALONE, ...BLACK_BOX, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
