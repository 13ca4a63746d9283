import { expect, test } from "vitest";
import { themeCookie, themeOf } from "./theme";

test.each([
  [null, "system"],
  ["", "system"],
  ["gw_theme=dark", "dark"],
  ["a=1; gw_theme=light; b=2", "light"],
  ["xgw_theme=dark", "system"],
  ["gw_theme=purple", "system"],
  ["gw_theme=DARK", "system"],
])("the cookie header %j asks for %s", (header, theme) => {
  expect(themeOf(header)).toBe(theme);
});

test("the cookie is only for https where the portal is", () => {
  expect(themeCookie("dark", { https: true })).toContain("; Secure");
  expect(themeCookie("dark", { https: false })).not.toContain("Secure");
});
