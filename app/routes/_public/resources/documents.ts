/** The documents that come with the source. */
export const DOCUMENTS = [
  ["docs/configuration.md", "Every setting, and the catalogue file of suppliers, models and prices"],
  ["docs/operating.md", "Starting, backups, upgrades, several processes, and what to do when something is wrong"],
  ["docs/routing.md", "Which supplier gets a request, failover, sessions, the model auto"],
  ["docs/clients.md", "Each client library and agent on a page of its own"],
  ["docs/regions-and-failover.md", "Where a request may go, and what happens when a supplier fails"],
  ["docs/idempotency.md", "Asking twice, paying once"],
  ["docs/native-agent.md", "Native agents, their tokens and their errors"],
  ["docs/management-api.md", "Keys and the audit log by program"],
  ["docs/audio-embeddings-rerank.md", "Vectors, ranking and sound, with their limits and prices"],
  ["docs/adding-a-supplier.md", "What a new kind of supplier takes"],
  ["docs/sandbox.md", "What the sandbox answers, and its faults"],
  ["docs/decisions/", "Why it is built this way"],
] as const;
