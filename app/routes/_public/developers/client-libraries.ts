/** The packages that the tests run unmodified: name, versions, the setting that takes the address, and the address. */
export const clientLibraries = (baseUrl: string) =>
  [
    ["openai", "6.30", "baseURL", `${baseUrl}/v1`],
    ["@anthropic-ai/sdk", "1.11 and 0.137", "baseURL", baseUrl],
    ["@ai-sdk/openai-compatible", "2.0", "baseURL", `${baseUrl}/v1`],
    ["@ai-sdk/openai", "3.0", "baseURL", `${baseUrl}/v1`],
    ["@ai-sdk/anthropic", "3.0", "baseURL", `${baseUrl}/v1`],
    ["@langchain/openai", "1.5", "configuration.baseURL", `${baseUrl}/v1`],
    ["@langchain/anthropic", "1.5", "anthropicApiUrl", baseUrl],
    ["cohere-ai", "8.1", "environment", baseUrl],
  ] as const;
