import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };

const ALONE = ["tests/attack/limits.test.ts"];

/** What looks at a module's first moments: it must not have been used by another file's tests. */
const FRESH = "app/**/*.fresh.db.test.ts";

/** Tests that need a database; a run on PostgreSQL (TEST_DATABASE_URL) covers concurrency as well. */
const ON_A_DATABASE = {
  globalSetup: ["tests/support/database-setup.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Much of it is waiting for the disk of the database.
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
};

/** Tests of the built server. */
const BLACK_BOX = {
  globalSetup: ["tests/support/database-setup.ts"],
  setupFiles: ["tests/support/described/check-answers.setup.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["app/**/*.test.ts", "app/**/*.test.tsx", "tests/contract/**/*.test.ts"],
          exclude: ["app/**/*.db.test.ts", "app/**/*.mock.test.ts"],
          maxWorkers: 2,
          // Reading the modules anew for each of 200 files took longer than all their tests.
          isolate: false,
        },
      },
      {
        // What stands in for a module of ours must be there before any file has read that module: each has modules of its own.
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
          // What they test is in other processes; what they use themselves is read once by each worker.
          isolate: false,
          // Much of it is waiting for limits and time-outs of real servers: four files at once, after all others.
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // What measures how long a server is held: nothing else may run beside it.
        resolve: { alias },
        test: { name: "alone", include: ALONE, ...BLACK_BOX, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
