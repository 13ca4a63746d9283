import { parseCookie, stringifySetCookie } from "cookie";
import { THEMES, type Theme } from "./theme";

/** The page's script reads the cookie too, so it is not HttpOnly. It has no personal data. */
const THEME_COOKIE = "gw_theme";
const ONE_YEAR_SECONDS = 31_536_000;

/** Returns the theme of a Cookie header; `system` if it has no valid one. */
export function themeOf(cookieHeader: string | null): Theme {
  const value = parseCookie(cookieHeader ?? "")[THEME_COOKIE];
  return THEMES.find((theme) => theme === value) ?? "system";
}

/** Returns the Set-Cookie header that stores a theme for a year. */
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
