import { type RouteConfigEntry, route } from "@react-router/dev/routes";

/**
 * The page module of a URL: its path under app/routes, with `$name` for `:name`. `area` is a folder that the URL omits,
 * such as `_public/`.
 */
export const page = (url: string, area = ""): RouteConfigEntry => route(url, `routes/${area}${fileOf(url)}/page.tsx`);

/** The module of a URL that returns data instead of a page. */
export const endpoint = (url: string, area = ""): RouteConfigEntry => route(url, `routes/${area}${fileOf(url)}.ts`);

const fileOf = (url: string) =>
  url
    .split("/")
    .map((segment) => (segment.startsWith(":") ? `$${segment.slice(1)}` : segment))
    .join("/");
