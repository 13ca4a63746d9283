/**
 * A web origin as browsers send it, from what somebody wrote: `https://app.example.com`. Null for what is none, has a path,
 * or stands for several.
 */
export function originOf(written: string): string | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.host === "" || /[*]/.test(url.host)) return null;
  if (url.username || url.password || url.search || url.hash || !["", "/"].includes(url.pathname)) return null;
  return `${url.protocol}//${url.host}`;
}
