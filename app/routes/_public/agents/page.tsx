import { href } from "react-router";
import { CodeSample } from "~/ui/CodeSample";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { readModelsToTry } from "../guide/read-models-to-try.server";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { FactList } from "../parts/FactList";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { readSite } from "../parts/site.server";
import type { Route } from "./+types/page";
import { chatAgent, editorAgent, messagesAgent, nativeAgent } from "./settings";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Coding agents",
  description: "Settings for coding agents of both families: one key with a budget instead of an account for everyone.",
  path: "/agents",
});

export const loader = () => ({ ...readSite(), models: readModelsToTry() });

export default function Agents({ loaderData: { baseUrl, models } }: Route.ComponentProps) {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="Coding agents, on a key with a budget"
        lead="Give everyone’s agent its own key. It stays inside its models and its budget, its sessions stay with one supplier’s cache, and each request is in the log with its cost. The settings below are those that the tests run the agents with."
      >
        <a href={href("/dashboard/keys/new")} className="button button-primary">
          Create a key
        </a>
      </PageIntro>
      <Band
        id="messages"
        title="Agents of the messages family"
        text={
          <>
            <p>
              They call <code className="mono">/v1/messages</code>. Any chat model can stand behind it: gw converts the
              conversation with its tools, images and thinking.
            </p>
            <p>Token counting, beta flags and the agent’s own session header are understood.</p>
          </>
        }
      >
        <CodeSample name="In the shell" id="agent-messages" text={messagesAgent(baseUrl, models.messages)} />
      </Band>
      <Band
        id="native"
        title="Agents of the native family"
        text={
          <>
            <p>
              They call <code className="mono">/v1/vendorb/responses</code>. Requests and events pass through byte for
              byte, to suppliers with native-agent credentials only.
            </p>
            <p>
              Keep the key in the environment under the name that <code className="mono">env_key</code> gives.
            </p>
          </>
        }
      >
        <CodeSample name="~/.codex/config.toml" id="agent-native" text={nativeAgent(baseUrl, models.agent)} />
      </Band>
      <Band
        id="chat"
        title="Agents of the chat family"
        text={<p>Everything that takes an address of a chat completions API: editors, terminal agents, frameworks.</p>}
      >
        <CodeSample name="opencode.json" id="agent-chat" text={chatAgent(baseUrl, models.chat)} />
        <CodeSample name="config.yaml of Continue" id="agent-editor" text={editorAgent(baseUrl, models.chat)} />
      </Band>
      <Band title="Good to know">
        <FactList facts={FACTS} />
      </Band>
      <ReadNext
        links={[
          ["/guide#budgets", "Budgets", "A key that cannot spend more than you say."],
          ["/guide#sessions", "Sessions", "Why a conversation stays with one supplier."],
          ["/developers", "Developers", "Every client library that is tested."],
        ]}
      />
    </PublicPage>
  );
}

const FACTS = [
  {
    name: "A budget for each agent",
    text: "An agent that runs in circles stops at its budget with 429 budget_exceeded, and not at the end of the month.",
  },
  {
    name: "Prompt caches",
    text: "The agent’s session header keeps a conversation with one supplier and one credential, so that cached tokens are really cached.",
  },
  {
    name: "Small models for small steps",
    text: "Agents name a small model for chores. Allow both models on the key, or set both to the same one.",
  },
  {
    name: "When a supplier fails",
    text: "Before the first word another one takes over. After it the agent gets an error that it understands, and repeats.",
  },
];
