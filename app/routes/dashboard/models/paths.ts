/** Where the page of a model is. Ids may have slashes in them. */
export const modelPath = (modelId: string): string => `/dashboard/models/${encodeURIComponent(modelId)}`;
