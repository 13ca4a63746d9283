import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["app/**/*.test.ts", "app/**/*.test.tsx", "tests/contract/**/*.test.ts"],
          exclude: ["app/**/*.db.test.ts"],
        },
      },
      {
        // Tests that need a database; a run on PostgreSQL (TEST_DATABASE_URL) covers concurrency as well.
        resolve: { alias },
        test: {
          name: "database",
          include: ["app/**/*.db.test.ts", "scripts/**/*.db.test.ts"],
          globalSetup: ["tests/support/database-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Black box: the built server, a stand-in supplier, real HTTP.
        resolve: { alias },
        test: {
          name: "gateway",
          include: ["tests/gateway/**/*.test.ts", "tests/portal/**/*.test.ts", "tests/attack/**/*.test.ts"],
          globalSetup: ["tests/support/database-setup.ts"],
          setupFiles: ["tests/support/described/check-answers.setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
