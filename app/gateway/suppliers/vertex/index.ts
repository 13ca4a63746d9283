import { generateContent } from "../toolkit/generate-content";

/** Vertex AI: models of a project in a location, both part of the base URL; authenticated with a service account. */
export const vertex = generateContent({
  kind: "vertex",
  pathOf: (model) => `/publishers/google/models/${encodeURIComponent(model)}`,
});
