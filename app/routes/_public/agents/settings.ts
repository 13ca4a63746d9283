export const messagesAgent = (baseUrl: string, model: string) => `export ANTHROPIC_BASE_URL=${baseUrl}
export ANTHROPIC_AUTH_TOKEN=$GW_KEY
export ANTHROPIC_MODEL=${model}
export ANTHROPIC_SMALL_FAST_MODEL=${model}
claude`;

export const nativeAgent = (baseUrl: string, model: string) => `model = "${model}"
model_provider = "gw"

[model_providers.gw]
name = "gw"
base_url = "${baseUrl}/v1/vendorb"
env_key = "GW_KEY"
wire_api = "responses"`;

export const chatAgent = (baseUrl: string, model: string) => `{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "gw": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "gw",
      "options": { "baseURL": "${baseUrl}/v1", "apiKey": "{env:GW_KEY}" },
      "models": { "${model}": { "tool_call": true, "limit": { "context": 128000, "output": 4096 } } }
    }
  },
  "model": "gw/${model}"
}`;

export const editorAgent = (baseUrl: string, model: string) => `name: gw
version: 1.0.0
schema: v1
models:
  - name: gw
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}/v1
    apiKey: \${{ secrets.GW_KEY }}
    roles: [chat]
    capabilities: [tool_use]`;
