import { index } from "@react-router/dev/routes";
import { endpoint, page } from "../table";

/** The pages that need no sign-in. */
export const publicRoutes = [
  index("routes/_public/home/page.tsx"),
  ...[
    "pricing",
    "features",
    "guide",
    "security",
    "models-public",
    "status",
    "controls",
    "certifications",
    "developers",
    "agents",
    "resources",
    "partners",
    "architecture",
    "platform",
    "contact",
    "api-docs",
    "api-docs/errors",
    "legal/terms",
    "legal/aup",
    "legal/privacy",
    "legal/cookies",
    "legal/dpa",
    "legal/refund",
    "legal/billing",
    "legal/security",
    "setup/:token",
  ].map((url) => page(url, "_public/")),
  ...["openapi.json", "error-codes.json", "sitemap.xml", "robots.txt", "set-theme", "brand/:colour"].map((url) =>
    endpoint(url, "_public/"),
  ),
];
