import { href } from "react-router";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { FactList } from "../parts/FactList";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { readSite } from "../parts/site.server";
import { Picture } from "./Picture";
import { STAGES } from "./stages";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Architecture",
  description:
    "The way of a request through six stages, and the way of its money from the hold to the ledger, as a picture.",
  path: "/architecture",
});

export const loader = readSite;

export default function Architecture() {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="One straight line, and a ledger under it"
        lead="A request passes six stages. Two of them touch money, and both write it down durably before anything else happens."
      />
      <Picture />
      <Band
        title="The six stages"
        text={
          <p>
            Each is one file of the source. Whatever refuses throws one of the{" "}
            <a href={href("/api-docs/errors")} className="link">
              known codes
            </a>
            .
          </p>
        }
      >
        <ol className="panel divide-y divide-line">
          {STAGES.map(({ name, does, refuses }, place) => (
            <li key={name} className="grid gap-x-8 gap-y-2 px-5 py-4 sm:grid-cols-term">
              <h3 className="font-semibold tracking-normal">
                <span className="text-ink-3 tabular-nums">{place + 1}</span> {name}
              </h3>
              <div>
                <p className="text-ink-2">{does}</p>
                <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-0.5 text-sm">
                  {refuses.map((code) => (
                    <a
                      key={code}
                      href={`/api-docs/errors#${code}`}
                      className="mono break-all py-[3px] text-ink-3 hover:text-accent"
                    >
                      {code}
                    </a>
                  ))}
                </p>
              </div>
            </li>
          ))}
        </ol>
      </Band>
      <Band
        title="Why it is fast all the same"
        text={<p>A durable hold and a durable settlement for every request sound slow.</p>}
      >
        <FactList facts={FAST} />
      </Band>
      <Band title="What a process may lose" text={<p>Everything that it keeps in memory. None of it is money.</p>}>
        <FactList facts={LOSES} />
      </Band>
      <ReadNext
        links={[
          ["/controls", "Controls", "Each rule with the test that holds it."],
          ["/platform", "Platform", "The parts, and how it grows."],
          ["/guide#sessions", "Failover and sessions", "What a client sees of it."],
        ]}
      />
    </PublicPage>
  );
}

const FAST = [
  {
    name: "Batches without waiting",
    text: "While one batch of holds and settlements is under way the next one fills. No timer, no delay when idle, ever larger batches under load.",
  },
  {
    name: "One transaction for both",
    text: "What a batch settles is free for what it admits. One flush of the disk serves both.",
  },
  {
    name: "In front of the framework",
    text: "The gateway’s addresses are matched by the server itself, before the portal’s router.",
  },
  {
    name: "Bytes pass through",
    text: "Between a client and a supplier of the same style a body is edited in place and never rebuilt.",
  },
];

const LOSES = [
  {
    name: "Looked-up keys",
    text: "Kept until the key changes: the database tells every process. A revoked key is refused everywhere within a second.",
  },
  { name: "Prices", text: "Read anew when they change. Calls under way keep the price they were admitted with." },
  {
    name: "Health of suppliers",
    text: "Learned by each process from its own traffic. After a start it costs a few failovers.",
  },
  { name: "Where sessions are", text: "A hash that every process computes alike places them again." },
];
