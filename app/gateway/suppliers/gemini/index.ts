import { generateContent } from "../toolkit/generate-content";

/** The Gemini API: its key in a header, its models under the base URL. */
export const gemini = generateContent({ kind: "gemini", pathOf: (model) => `/models/${encodeURIComponent(model)}` });
