/** The public pages in the groups of header and footer. Names are keys of the `public` texts. */
export const SITE_GROUPS = [
  {
    name: "product",
    links: [
      ["features", "/features"],
      ["platform", "/platform"],
      ["models", "/models-public"],
      ["pricing", "/pricing"],
      ["agents", "/agents"],
    ],
  },
  {
    name: "build",
    links: [
      ["guide", "/guide"],
      ["reference", "/api-docs"],
      ["errorCodes", "/api-docs/errors"],
      ["developers", "/developers"],
      ["resources", "/resources"],
    ],
  },
  {
    name: "trust",
    links: [
      ["security", "/security"],
      ["controls", "/controls"],
      ["certifications", "/certifications"],
      ["architecture", "/architecture"],
    ],
  },
  {
    name: "company",
    links: [
      ["contact", "/contact"],
      ["partners", "/partners"],
      ["terms", "/legal/terms"],
      ["privacy", "/legal/privacy"],
      ["cookies", "/legal/cookies"],
      ["allLegal", "/legal/terms#documents"],
    ],
  },
] as const;

/** Links of the header on wide screens. */
export const HEADER_LINKS = [
  ["features", "/features"],
  ["models", "/models-public"],
  ["pricing", "/pricing"],
  ["guide", "/guide"],
  ["reference", "/api-docs"],
] as const;
