/**
 * Returns a web origin as browsers send it, from typed text: `https://app.example.com`. Null for a text that is not an
 * origin, has a path, or matches several origins.
 */
export function originOf(written: string): string | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.host === "" || /[*]/.test(url.host)) return null;
  if (url.username || url.password || url.search || url.hash || !["", "/"].includes(url.pathname)) return null;
  return `${url.protocol}//${url.host}`;
}
