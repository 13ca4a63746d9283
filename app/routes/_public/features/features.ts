import type { Fact } from "../parts/FactList";

type FeatureGroup = { id: string; title: string; text: string; facts: readonly Fact[] };

export const FEATURES: readonly FeatureGroup[] = [
  {
    id: "apis",
    title: "The APIs you use",
    text: "Change the base URL and the key. Official SDKs, framework adapters and coding agents run unmodified in the tests.",
    facts: [
      {
        name: "Chat completions",
        text: "Whole and streamed, tools, JSON schemas, images, audio parts, reasoning, several choices.",
      },
      {
        name: "Messages",
        text: "Content blocks, tool use, thinking, prompt caching, token counting, and the full event sequence.",
      },
      {
        name: "Either style on either kind of model",
        text: "Conversations are converted both ways. What cannot be expressed is refused by name.",
      },
      { name: "Embeddings and rerank", text: "Floats or base64, texts or tokens; both versions of the rerank API." },
      { name: "Speech, both ways", text: "Six audio formats in, judged by their content; MP3 and WAV out." },
      {
        name: "Bytes stay bytes",
        text: "Between an SDK and a supplier of the same style everything passes through, fields of tomorrow too.",
      },
    ],
  },
  {
    id: "routing",
    title: "Somewhere else, in time",
    text: "When a supplier fails, the next one is asked before anybody notices, and never outside the rules of the key.",
    facts: [
      {
        name: "Failover before the first word",
        text: "On 429, 5xx, time-outs, broken connections, and on a 200 that begins with an error.",
      },
      {
        name: "Health from own traffic",
        text: "Success and speed of each route, weighed to the last minute. A breaker opens after failures and probes.",
      },
      {
        name: "Regions that fail closed",
        text: "A locked key or call is served inside its regions or refused. No retry, fallback or probe leaves them.",
      },
      {
        name: "Sessions stay together",
        text: "A conversation stays with one supplier and its prompt cache, by a hash that every process computes alike.",
      },
      {
        name: "The model auto",
        text: "Chooses by cost, speed, quality or a balance, and writes down why, with what the alternative would have cost.",
      },
      {
        name: "Reasons, kept",
        text: "Each call keeps its candidates, what was left out and why, and what became of every attempt.",
      },
    ],
  },
  {
    id: "money",
    title: "Money that adds up",
    text: "A hold before, a charge after, in one ledger. It holds when a thousand requests arrive at once, and when a process is killed.",
    facts: [
      {
        name: "Budgets at five levels",
        text: "Key, person, department, project and organisation, and the wallet. All of them are held in one step, or none.",
      },
      {
        name: "No overspending",
        text: "Nothing goes out before its hold is committed, so requests in flight cannot overshoot a limit.",
      },
      {
        name: "Exactly one settlement",
        text: "Whoever hangs up first: each stream ends once, and is charged for what was delivered.",
      },
      {
        name: "Asked twice, paid once",
        text: "A request with an Idempotency-Key is carried out once. A repetition gets the first answer, for 24 hours.",
      },
      { name: "Exact amounts", text: "Whole billionths of a dollar, never floating point. One rounding a request." },
      {
        name: "A ledger that is only added to",
        text: "Double-entry, with its rules as constraints of the database, and an auditor that lists contradictions.",
      },
      {
        name: "Rate limits that are exact",
        text: "A sliding minute across all processes. Retry-After is the true time.",
      },
    ],
  },
  {
    id: "people",
    title: "For people",
    text: "The portal is written by the server: fast, readable on a phone, usable by keyboard, and its forms work without script.",
    facts: [
      {
        name: "Organisations and departments",
        text: "Roles from viewer to owner, projects with members, invitations, and an admin view that one switches on.",
      },
      {
        name: "Keys",
        text: "Budget with what is held, the live rate limiter, who else limits the key, the last refusals with their fix, rotation with overlap.",
      },
      { name: "A trail", text: "Who did what, before and after. It is only ever added to." },
      {
        name: "Signing in",
        text: "Password or two identity providers by OpenID Connect. Terms are accepted by version.",
      },
      { name: "Four languages", text: "English, German, French and Spanish. Light and dark." },
      {
        name: "Everything as an API",
        text: "Forms take JSON too. The description is OpenAPI 3.1, made from the code that answers.",
      },
    ],
  },
  {
    id: "operating",
    title: "For those who run it",
    text: "One command starts it with a database of its own. Add PostgreSQL and as many processes as you like.",
    facts: [
      {
        name: "Nothing to set up",
        text: "The embedded database is a real PostgreSQL. Acknowledged writes survive a power cut.",
      },
      {
        name: "A sandbox",
        text: "A supplier that always answers, the same way each time, and models that fail on purpose.",
      },
      { name: "Suppliers as a file", text: "Suppliers, models and prices in YAML. A mistake names its line." },
      {
        name: "Draining",
        text: "On SIGTERM streams finish or are cut cleanly, everything is settled, and the exit code is 0.",
      },
      {
        name: "An audit at any time",
        text: "One command reads the whole ledger beside the running server and says whether the books are right.",
      },
      { name: "One line a request", text: "Structured logs with ids, never with bodies or secrets." },
    ],
  },
];
