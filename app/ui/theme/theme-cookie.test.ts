import { expect, test } from "vitest";
import { themeCookie, themeOf } from "./theme-cookie.server";

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

test("the cookie lasts a year, scripts may read it, and it is only for https where the portal is", () => {
  const [pair, ...attributes] = themeCookie("dark", { https: true }).split("; ");
  expect(pair).toBe("gw_theme=dark");
  expect(attributes.toSorted()).toEqual(["Max-Age=31536000", "Path=/", "SameSite=Lax", "Secure"]);
  expect(themeCookie("dark", { https: false })).not.toContain("Secure");
});
