import { defineConfig } from "@playwright/test";
import { chromiumForTests } from "./scripts/chromium.mjs";

// Without Chromium, Playwright prints how to install its own. In a container, tests run as root, where Chromium needs
// its sandbox off.
const executablePath = chromiumForTests() ?? undefined;
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.spec.ts",
  globalSetup: "./tests/e2e/prepare-database.ts",
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  reporter: [["list"]],
  outputDir: "test-results",
  use: { launchOptions: { executablePath, args }, screenshot: "only-on-failure", trace: "on-first-retry" },
});
