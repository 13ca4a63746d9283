export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Read by the page's own script too, so it is not HttpOnly; it says nothing about anyone. */
export const THEME_COOKIE = "gw_theme";
const ONE_YEAR_SECONDS = 31_536_000;

/** The theme that a Cookie header asks for; `system` when it says nothing usable. */
export function themeOf(cookieHeader: string | null): Theme {
  const value = new RegExp(`(?:^|;\\s*)${THEME_COOKIE}=([a-z]+)`).exec(cookieHeader ?? "")?.[1];
  return THEMES.find((theme) => theme === value) ?? "system";
}

/** The Set-Cookie header that remembers a theme for a year. */
export function themeCookie(theme: Theme, { https }: { https: boolean }): string {
  return `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; SameSite=Lax${https ? "; Secure" : ""}`;
}
