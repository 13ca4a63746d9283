import type { Sample } from "../../parts/CodeChoice";
import type { ModelsToTry } from "../models-to-try";

export const budgetKey = (baseUrl: string, { chat }: ModelsToTry): Sample[] => [
  {
    name: "create",
    text: `curl ${baseUrl}/v1/manage/keys \\
  -H "Authorization: Bearer $GW_ADMIN_KEY" \\
  -d '{
    "name": "search team",
    "allowed_models": ["${chat}"],
    "budget_limit": 25.50,
    "budget_period": "monthly",
    "rate_limit_rpm": 120
  }'`,
  },
  {
    name: "change",
    text: `curl -X PATCH ${baseUrl}/v1/manage/keys/key_… \\
  -H "Authorization: Bearer $GW_ADMIN_KEY" \\
  -d '{"budget_limit": 40}'`,
  },
  {
    name: "rotate",
    text: `curl -X POST ${baseUrl}/v1/manage/keys/key_…/rotate \\
  -H "Authorization: Bearer $GW_ADMIN_KEY" \\
  -d '{"overlap_seconds": 3600}'`,
  },
  {
    name: "log",
    text: `curl "${baseUrl}/v1/manage/audit-logs?key_id=key_…&limit=20" \\
  -H "Authorization: Bearer $GW_ADMIN_KEY"`,
  },
];

export const regionLock = (baseUrl: string, { chat }: ModelsToTry): Sample[] => [
  {
    name: "call",
    text: `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${chat}", "region": "eu", "messages": [{"role": "user", "content": "Say hello."}]}'`,
  },
  {
    name: "key",
    text: `curl ${baseUrl}/v1/manage/keys \\
  -H "Authorization: Bearer $GW_ADMIN_KEY" \\
  -d '{"name": "european", "allowed_regions": "eu"}'`,
  },
  {
    name: "Chat SDK",
    text: `const answer = await client.chat.completions.create({
  model: "${chat}",
  messages: [{ role: "user", content: "Say hello." }],
  // @ts-expect-error: a field of gw's own
  region: "eu",
});`,
  },
];

export const autoChoice = (baseUrl: string): Sample[] => [
  {
    name: "curl",
    text: `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "x-gw-autorouter: cheapest" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "auto", "messages": [{"role": "user", "content": "Say hello."}]}'`,
  },
  {
    name: "Chat SDK",
    text: `const answer = await client.chat.completions.create(
  { model: "auto", messages: [{ role: "user", content: "Say hello." }] },
  { headers: { "x-gw-autorouter": "cheapest" } },
);`,
  },
];
