import type { MetaDescriptor } from "react-router";

type Facts = { title: string; description: string; path: string };

/** Returns the head of a public page: title, description, canonical URL, and link preview. */
export function pageHead({ title, description, path }: Facts, baseUrl: string): MetaDescriptor[] {
  const address = `${baseUrl}${path}`;
  return [
    { title: path === "/" ? title : `${title} · gw` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: address },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "gw" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: address },
    { name: "twitter:card", content: "summary" },
  ];
}
