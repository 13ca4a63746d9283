import { CodeChoice } from "../parts/CodeChoice";
import { Code, type GuideFacts, GuideSection, Text } from "./GuideSection";
import { autoChoice, budgetKey, regionLock } from "./samples/limits";

/** Budgets, regions, sessions and the autorouter. */
export function Limits({ baseUrl, models }: GuideFacts) {
  return (
    <>
      <GuideSection id="budgets" title="8. Give a key a budget">
        <Text>
          In the portal, or with an admin key over the management API. A key can have a budget by day, by month or over
          the last 30 days, a limit of requests a minute, a list of models, a list of regions and an expiry date. They
          hold for the next request, in every process.
        </Text>
        <CodeChoice id="budget" title="Budgets" samples={budgetKey(baseUrl, models)} />
        <Text>
          Before a request goes out, the most that it can cost is held against the budget. So a budget is never
          overspent, however many requests arrive at once; a request that does not fit gets{" "}
          <Code>429 budget_exceeded</Code>. A small <Code>max_tokens</Code> makes a small hold. The rest is free again
          when the answer is there.
        </Text>
      </GuideSection>
      <GuideSection id="regions" title="9. Stay in a region">
        <Text>
          Lock a key with <Code>allowed_regions</Code>, or a single call with <Code>region</Code>. <Code>eu</Code> means
          every region in <Code>eu-…</Code>. A call can narrow the key’s lock and never widen it. If nothing inside can
          serve it, the answer is <Code>sovereign_route_unavailable</Code>, and nothing was sent anywhere.
        </Text>
        <CodeChoice id="region" title="Regions" samples={regionLock(baseUrl, models)} />
      </GuideSection>
      <GuideSection id="sessions" title="10. Sessions and failover">
        <Text>
          Send <Code>X-Session-Id</Code> (or <Code>metadata.session_id</Code>, or <Code>metadata.sticky_key</Code>) with
          the requests of one conversation, and they stay with one supplier and its prompt cache. Agents that send a
          header of their own need nothing.
        </Text>
        <Text>
          When a supplier answers 429 or 5xx, or not at all, the next one is asked at once, inside the key’s models and
          regions. The answer says so with <Code>x-gw-failover: true</Code>. Once a word has reached you there is no
          second attempt: nothing is ever generated, or paid, twice behind your back.
        </Text>
      </GuideSection>
      <GuideSection id="auto" title="11. Let gw choose the model">
        <Text>
          The model <Code>auto</Code> picks a chat model that fits the request: its length, its tools, its images. By
          default it balances cost, quality and speed; the header <Code>x-gw-autorouter</Code> asks for{" "}
          <Code>cheapest</Code>, <Code>fastest</Code> or <Code>quality</Code>.
        </Text>
        <CodeChoice id="auto-choice" title="Autorouter" samples={autoChoice(baseUrl)} />
      </GuideSection>
    </>
  );
}
