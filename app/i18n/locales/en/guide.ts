export default {
  title: "Guide",
  subtitle: "Quick start with your own key, models and regions. The full guide is public.",
  full: "Full guide",
  reference: "API reference",
  key: {
    label: "Use in examples",
    none: "You have no keys yet. The examples show where yours goes.",
    create: "Create a key",
    secret: "gw doesn’t store the secret. Put it in the GW_KEY variable, as shown below.",
    choose: "Use this key",
  },
  contents: "On this page",
  steps: {
    prepare: {
      title: "Keep your key out of your code",
      text: "Set the secret once as an environment variable. Every example reads it from there.",
    },
    chat: {
      title: "Chat",
      text: "Works with any chat-style client: change the base URL and the key. Streaming, tools, images and structured output pass through.",
    },
    messages: {
      title: "Messages",
      text: "For messages-style clients, use the base URL without /v1. They send the key as x-api-key, which gw accepts.",
    },
    native: { title: "Coding agents", text: "Agents that use the native protocol have their own base URL." },
    others: { title: "Embeddings, rerank, speech", text: "Same key, other models." },
    read: {
      title: "Response headers",
      text: "Every non-streamed response names its supplier, region, failover and exact cost in its headers.",
    },
    errors: {
      title: "Handle errors",
      text: "Check error.code; the message is for people. 429 and 503 always include Retry-After in seconds.",
      recent: "Your keys’ recent rejections",
      none: "No rejected requests in the last 7 days.",
    },
  },
  models: {
    title: "Models available to this key",
    none: "This key can’t call any model in the catalogue.",
    model: "Model",
    kind: "Type",
    context: "Context",
    regions: "Regions",
    input: "In / M",
    output: "Out / M",
    unpriced: "no price",
    capabilities: {
      chat: "Chat",
      embedding: "Embeddings",
      rerank: "Rerank",
      transcription: "Transcription",
      speech: "Speech",
    },
  },
  regions: {
    title: "Regions",
    lock: "This key is limited to {{list}}. Requests never leave these regions, not even on retry.",
    free: "This key can use every region. A request can narrow it down with the region field.",
    here: "Regions of this installation: {{list}}.",
  },
};
