import { config } from "~/config.server";
import { modelToTry } from "~/domain/routing/index.server";
import { CodeSample } from "~/ui/CodeSample";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { CodeChoice } from "../parts/CodeChoice";
import { describePage } from "../parts/describe-page";
import { ReadNext } from "../parts/ReadNext";
import type { Route } from "./+types/page";
import { Receipt } from "./Receipt";
import { Way } from "./Way";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "gw · every model behind one key",
  description:
    "A gateway for language models that keeps region and budget, and books every request to the nano-dollar.",
  path: "/",
});

export function loader() {
  return { baseUrl: config().baseUrl, model: modelToTry() };
}

export default function Home({ loaderData: { baseUrl, model } }: Route.ComponentProps) {
  return (
    <PublicPage lang="en">
      <section className="grid items-center gap-12 pt-10 sm:pt-14 lg:grid-cols-[1.02fr_1fr] lg:gap-14">
        <div>
          <h1 className="max-w-[10.4em] text-wrap text-7xl leading-[1.07] tracking-[-0.035em] sm:text-[47px]">
            Every model behind one key. Every cent accounted&nbsp;for.
          </h1>
          <p className="mt-5 mb-6 max-w-pitch text-xl text-ink-2">
            Change the base URL of the SDK you already use. gw keeps the region, the budget and the session, moves to
            the next supplier before your user notices, and books each request to the nano-dollar.
          </p>
          <p className="flex flex-wrap gap-2">
            <a href="/signup" className="button button-primary">
              Create account
            </a>
            <a href="/guide" className="button">
              Read the guide
            </a>
          </p>
        </div>
        <Receipt />
      </section>
      <Facts />
      <FirstCall baseUrl={baseUrl} model={model} />
      <Way />
      <ReadNext
        links={[
          ["/features", "Features", "What it does, without adjectives."],
          ["/models-public", "Models", "What can be called here, where, and at which price."],
          ["/controls", "Controls", "What is enforced, and the test behind each rule."],
        ]}
      />
    </PublicPage>
  );
}

const FACTS = [
  ["0 overspend", "A thousand requests at once against a five-cent budget stop at five cents."],
  ["Stays in region", "A locked key fails closed. No retry, fallback or probe leaves the region."],
  ["Two commands", "One starts it with its own database. One passes its tests."],
] as const;

function Facts() {
  return (
    <ul className="mt-16 grid divide-y divide-line border-line border-y sm:grid-cols-3 sm:divide-x sm:divide-y-0">
      {FACTS.map(([name, text]) => (
        <li key={name} className="py-5 sm:px-6">
          <h2 className="text-5xl">{name}</h2>
          <p className="text-ink-2">{text}</p>
        </li>
      ))}
    </ul>
  );
}

function FirstCall({ baseUrl, model }: { baseUrl: string; model: string | null }) {
  return (
    <section id="first-call" className="mt-16 grid gap-x-14 gap-y-5 lg:grid-cols-[1fr_2fr]">
      <div>
        <h2 className="text-5xl">The first call</h2>
        <p className="mt-2 max-w-pitch text-ink-2">{hintFor(model)}</p>
      </div>
      <div className="grid min-w-0 gap-4">
        <CodeSample name="In a terminal" id="sample-curl" text={curlSample(baseUrl, model ?? "your-model")} />
        <CodeChoice id="sample-sdk" title="With the SDK you have" samples={sdkSamples(baseUrl)} />
      </div>
    </section>
  );
}

function hintFor(model: string | null): string {
  if (model === null)
    return "No chat model is set up here yet. Name one in the configuration, and it can be called like this.";
  if (model !== "sandbox-chat") return `Any key that may use ${model} will do. An account comes with its first one.`;
  return "The model sandbox-chat answers without any supplier, so that you can try everything before you connect one. A first key was printed when gw started for the first time.";
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
