import { CodeSample } from "~/ui/CodeSample";
import { CodeChoice } from "../parts/CodeChoice";

type FirstCallProps = { baseUrl: string; model: string | null; words: Readonly<Record<string, string>> };

/** The first call in a terminal, and the lines to change in an application. */
export function FirstCall({ baseUrl, model, words: { terminal = "", sdk = "" } }: FirstCallProps) {
  return (
    <div className="grid min-w-0 gap-4">
      <CodeSample name={terminal} id="sample-curl" text={curlSample(baseUrl, model ?? "your-model")} />
      <CodeChoice id="sample-sdk" title={sdk} samples={sdkSamples(baseUrl)} />
    </div>
  );
}

const curlSample = (baseUrl: string, model: string) => `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'`;

const sdkSamples = (baseUrl: string) => [
  {
    name: "Chat SDK",
    text: `const client = new OpenAI({
  baseURL: "${baseUrl}/v1",
  apiKey: process.env.GW_KEY,
});`,
  },
  {
    name: "Messages SDK",
    text: `const client = new Anthropic({
  baseURL: "${baseUrl}",
  apiKey: process.env.GW_KEY,
});`,
  },
  {
    name: "Python",
    text: `client = OpenAI(
    base_url="${baseUrl}/v1",
    api_key=os.environ["GW_KEY"],
)`,
  },
];
