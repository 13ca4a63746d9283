/** Returns the path of a model's page. Model ids may contain slashes. */
export const modelPath = (modelId: string): string => `/dashboard/models/${encodeURIComponent(modelId)}`;
