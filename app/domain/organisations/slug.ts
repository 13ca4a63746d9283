import slugify from "@sindresorhus/slugify";

const MAX_SLUG_LENGTH = 60;

/** Returns a name as a URL segment: lower-case letters, digits and hyphens; "organisation" if none of these remain. */
export function slugOf(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, MAX_SLUG_LENGTH);
  return slug.replace(/-$/, "") || "organisation";
}
