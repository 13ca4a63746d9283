import type { ProfileEntry } from "./profile";

const THINKING = "https://ai.google.dev/gemini-api/docs/thinking";
const FILES = "https://ai.google.dev/gemini-api/docs/file-input-methods";
const SIGNATURES = "https://ai.google.dev/gemini-api/docs/thought-signatures";

/** Gemini in its own API; the compatible API uses other words for some of it. */
export const GEMINI: readonly ProfileEntry[] = [
  {
    name: "google/gemini",
    models: /(^|[^a-z0-9])gemini/,
    example: "gemini-2.0-flash",
    source: "https://ai.google.dev/api/generate-content",
    read: "2026-11-27",
    // "Function calling with a response mime type: 'application/json' is unsupported", before Gemini 3:
    // https://github.com/googleapis/python-genai/issues/867
    rules: {
      fields: { top_k: "taken" },
      maxStops: 5,
      // "Invalid function name. Must start with a letter or an underscore."
      toolNames: "letter",
      outputFormBesideTools: "told",
      reasoning: { field: null },
    },
  },
  {
    name: "google/gemini-2.5",
    like: "google/gemini",
    models: /(^|[^a-z0-9])gemini-2\.[5-9]/,
    example: "gemini-2.5-flash",
    source: `${THINKING} ${FILES} https://github.com/vercel/ai/pull/16757`,
    read: "2026-11-27",
    rules: {
      fetchesAddresses: true,
      thinking: {
        form: "tokens",
        levels: ["none", "low", "medium", "high"],
        byDefault: true,
        canStop: true,
        minBudget: 0,
        maxBudget: 24_576,
      },
    },
  },
  {
    name: "google/gemini-2.5-pro",
    like: "google/gemini-2.5",
    models: /(^|[^a-z0-9])gemini-2\.[5-9]-pro/,
    example: "gemini-2.5-pro",
    source: THINKING,
    read: "2026-11-27",
    rules: { thinking: { levels: ["low", "medium", "high"], canStop: false, minBudget: 128 } },
  },
  {
    name: "google/gemini-3",
    like: "google/gemini",
    models: /(^|[^a-z0-9])gemini-([3-9]|\d\d|(pro|flash|flash-lite)-latest)/,
    example: "gemini-3-pro-preview",
    source: SIGNATURES,
    read: "2026-11-27",
    rules: {
      thinking: { form: "level", levels: ["low", "high"], byDefault: true, standsFor: { medium: "high" } },
      outputFormBesideTools: "taken",
      fetchesAddresses: true,
      callSignature: {
        path: ["extra_content", "google", "thought_signature"],
        placeholder: "skip_thought_signature_validator",
      },
    },
  },
  {
    name: "google/gemini-3-flash",
    like: "google/gemini-3",
    models: /(^|[^a-z0-9])gemini-(([3-9]|\d\d)(\.\d+)?-)?flash/,
    example: "gemini-3-flash-preview",
    source: THINKING,
    read: "2026-11-27",
    rules: { thinking: { levels: ["minimal", "low", "medium", "high"], standsFor: {} } },
  },
];
