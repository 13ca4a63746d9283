import { expect, test } from "vitest";
import { filesUnder } from "./source-tree";

// A class such as `mt-[3px]`, `sm:grid-cols-[auto_1fr]` or `[hyphens:auto]`.
const ARBITRARY = /(?<=["'`\s])(?:[\w:@/!-]*-\[[^\]\s"'`]+\]|\[[a-z-]+:[^\]\s"'`]+\])/g;

const classes = filesUnder("app", /\.tsx?$/)
  .filter(({ path }) => !/\.test\.tsx?$/.test(path))
  .flatMap(({ path, text }) => [...text.matchAll(ARBITRARY)].map(([name]) => ({ path, name })));

test("pages take sizes, widths and weights from app/ui/theme/theme.css: fewer than 60 classes have a value of their own", () => {
  expect(classes.length, classes.map(({ path, name }) => `${name} in ${path}`).join("\n")).toBeLessThan(60);
});

test("every weight and every colour has a name", () => {
  expect(
    classes.filter(({ name }) => /(?:^|:)!?(?:font|bg|border|fill|stroke|text)-\[(?:\d+\]|#|rgb|hsl|ok)/.test(name)),
  ).toEqual([]);
});

test("style sheets name their weights and the sizes of the scale", () => {
  const theme = filesUnder("app/ui", /^theme\.css$/)[0]!.text;
  const scale = [...theme.matchAll(/--text-\w+: ([\d.]+px);/g)].map(([, size]) => size);
  expect(scale).toContain("13.5px");
  const bare = filesUnder("app", /\.css$/)
    .filter(({ path }) => path !== "app/ui/theme/theme.css")
    .flatMap(({ path, text }) =>
      [...text.matchAll(/font-(?:weight|size): ([\d.]+(?:px)?);/g)]
        .filter(([line, value]) => line.startsWith("font-weight") || scale.includes(value!))
        .map(([line]) => `${path}: ${line}`),
    );
  expect(bare).toEqual([]);
});
