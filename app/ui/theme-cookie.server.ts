import { parseCookie, stringifySetCookie } from "cookie";
import { THEMES, type Theme } from "./theme";

/** Read by the page's own script too, so it is not HttpOnly; it says nothing about anyone. */
const THEME_COOKIE = "gw_theme";
const ONE_YEAR_SECONDS = 31_536_000;

/** The theme that a Cookie header asks for; `system` when it says nothing usable. */
export function themeOf(cookieHeader: string | null): Theme {
  const value = parseCookie(cookieHeader ?? "")[THEME_COOKIE];
  return THEMES.find((theme) => theme === value) ?? "system";
}

/** The Set-Cookie header that remembers a theme for a year. */
export function themeCookie(theme: Theme, { https }: { https: boolean }): string {
  return stringifySetCookie({
    name: THEME_COOKIE,
    value: theme,
    path: "/",
    maxAge: ONE_YEAR_SECONDS,
    sameSite: "lax",
    secure: https,
  });
}
