import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROVIDERS } from "~/config/provider-keys";
import { readConfig } from "~/config.server";
import { readCatalogueFile } from "~/domain/catalogue/index.server";

const FOLDER = "docs/providers";
const blocks = (page: string, language: string) =>
  [
    ...readFileSync(`${FOLDER}/${page}.md`, "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms")),
  ].map(([, text]) => text!);

test("every provider has a page, and every page is of a provider", () => {
  const pages = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ""));
  expect(pages.toSorted()).toEqual(["README", ...PROVIDERS].toSorted());
});

test.each(PROVIDERS)("the lines for the environment make the supplier: %s", (provider) => {
  const lines = [
    ...blocks(provider, "sh")
      .join("\n")
      .matchAll(/^export (\w+)=(\S+)$/gm),
  ];
  const variables = Object.fromEntries(lines.map(([, name, value]) => [name, value === "…" ? "sk-1" : value]));
  expect(readConfig(variables).providerKeys.map(({ preset }) => preset)).toEqual([provider]);
});

test.each(PROVIDERS)("every catalogue file of the page makes the supplier with priced models: %s", (provider) => {
  for (const text of blocks(provider, "yaml")) {
    const { suppliers, models } = readCatalogueFile({ name: provider, text, variable: () => "sk-1" });
    expect(suppliers.map(({ name }) => name)).toEqual([provider]);
    expect(models.length).toBeGreaterThan(0);
    for (const { routes } of models) expect(routes[0]!.price).toBeDefined();
  }
});
