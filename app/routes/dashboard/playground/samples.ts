import type { Snippet } from "~/ui/Snippets";

/** A chat request for common clients. They read the key from the environment variable `GW_KEY`. */
export function samplesOf(baseUrl: string, body: Record<string, unknown>): Snippet[] {
  const written = JSON.stringify(body, null, 2);
  return [
    {
      id: "curl",
      label: "curl",
      code: `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${written.replaceAll("'", "'\\''")}'`,
    },
    {
      id: "python",
      label: "Python",
      code: `import json
import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["GW_KEY"])
request = json.loads(${JSON.stringify(JSON.stringify(body))})
answer = client.chat.completions.create(**request)
print(answer.choices[0].message.content)`,
    },
    {
      id: "typescript",
      label: "TypeScript",
      code: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: process.env.GW_KEY });
const answer = await client.chat.completions.create(${written});
console.log(answer.choices[0].message.content);`,
    },
  ];
}
