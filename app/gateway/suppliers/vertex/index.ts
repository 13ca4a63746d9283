import { generateContent } from "../toolkit/generate-content";

/** Vertex AI: the models of a project in a location, which are the base URL's; signed in with a service account. */
export const vertex = generateContent({
  kind: "vertex",
  pathOf: (model) => `/publishers/google/models/${encodeURIComponent(model)}`,
});
