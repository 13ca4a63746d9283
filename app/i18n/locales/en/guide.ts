export default {
  title: "Guide",
  subtitle: "The short way, with your own key, models and regions. The full guide is public.",
  full: "The full guide",
  reference: "API reference",
  key: {
    label: "Examples use",
    none: "You have no key yet. The examples show where it goes.",
    create: "Create a key",
    secret: "The secret itself is not kept. Put it into the variable GW_KEY, as below.",
    choose: "Use this key",
  },
  contents: "On this page",
  steps: {
    prepare: {
      title: "Keep the key out of the code",
      text: "Put the secret into the environment once. Every example reads it from there.",
    },
    chat: {
      title: "Chat",
      text: "Any client of the chat style: change the base URL and the key. Streams, tools, images and structured answers pass through.",
    },
    messages: {
      title: "Messages",
      text: "Clients of the messages style get the base URL without /v1. They send the key as x-api-key, which is accepted.",
    },
    native: { title: "Coding agents", text: "Agents that speak the native protocol have a base URL of their own." },
    others: { title: "Embeddings, rerank, speech", text: "The same key, other models." },
    read: {
      title: "What an answer tells",
      text: "Supplier, region, failover and the exact cost stand in the headers of every whole answer.",
    },
    errors: {
      title: "When something is refused",
      text: "Read error.code; the sentence is for people. 429 and 503 always say in Retry-After how many seconds to wait.",
      recent: "What was refused to your keys lately",
      none: "Nothing has been refused to your keys in the last seven days.",
    },
  },
  models: {
    title: "Models that this key may call",
    none: "This key may call no model of the catalogue.",
    model: "Model",
    kind: "For",
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
    lock: "This key is locked to {{list}}. Nothing leaves them, not even a retry.",
    free: "This key may use every region. A request can narrow it down with the field region.",
    here: "Regions of this installation: {{list}}.",
  },
};
