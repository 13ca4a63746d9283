import type { Config } from "tailwindcss";

/** Utilities speak the tokens of app/ui/tokens.css; there are no other colours. */
export default {
  content: ["./app/**/*.{ts,tsx}"],
  theme: {
    colors: {
      transparent: "transparent",
      current: "currentColor",
      bg: "var(--bg)",
      surface: "var(--surface)",
      sunken: "var(--sunken)",
      line: { DEFAULT: "var(--line)", strong: "var(--line-strong)" },
      ink: { DEFAULT: "var(--ink)", 2: "var(--ink-2)", 3: "var(--ink-3)" },
      accent: {
        DEFAULT: "var(--accent)",
        strong: "var(--accent-strong)",
        soft: "var(--accent-soft)",
        ink: "var(--accent-ink)",
      },
      held: { DEFAULT: "var(--held)", ink: "var(--held-ink)", soft: "var(--held-soft)" },
      bad: { DEFAULT: "var(--bad)", soft: "var(--bad-soft)" },
      info: { DEFAULT: "var(--info)", soft: "var(--info-soft)" },
    },
    fontFamily: { sans: "var(--font)", mono: "var(--mono)" },
  },
} satisfies Config;
