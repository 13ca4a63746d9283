import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { ScrollRegion } from "../parts/ScrollRegion";
import { readSite } from "../parts/site.server";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Platform",
  description:
    "Gateway, portal, management API, ledger and catalogue: one process, one database, and who uses which part.",
  path: "/platform",
});

export const loader = readSite;

export default function Platform() {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="One program, one database, and a part for everyone"
        lead="gw is a single process that serves everything. Run one, or any number of them, on one PostgreSQL. There is no queue, no cache server and no second store to keep in step."
      />
      <Band title="The parts" text={<p>Each is a folder of the same program, and a door of its own.</p>}>
        <ul className="panel divide-y divide-line">
          {PARTS.map(({ name, address, text }) => (
            <li key={name} className="grid gap-x-8 gap-y-1 px-5 py-4 sm:grid-cols-label">
              <div>
                <h3 className="font-semibold tracking-normal">{name}</h3>
                <p className="mono text-sm text-ink-3">{address}</p>
              </div>
              <p className="text-ink-2">{text}</p>
            </li>
          ))}
        </ul>
      </Band>
      <Band title="Who does what" text={<p>The same installation serves five kinds of people.</p>}>
        <ul className="panel divide-y divide-line">
          {PEOPLE.map(({ name, text, path, link }) => (
            <li key={name} className="grid gap-x-8 gap-y-1 px-5 py-4 sm:grid-cols-[13rem_minmax(0,1fr)_auto]">
              <h3 className="font-semibold tracking-normal">{name}</h3>
              <p className="text-ink-2">{text}</p>
              <a href={path} className="link self-start">
                {link}
              </a>
            </li>
          ))}
        </ul>
      </Band>
      <Band title="How it grows" text={<p>From a laptop to several machines without changing an application.</p>}>
        <ScrollRegion name="How it grows">
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">
                  <span className="sr-only">What</span>
                </th>
                <th scope="col">Embedded database</th>
                <th scope="col">PostgreSQL</th>
              </tr>
            </thead>
            <tbody>
              {GROWTH.map(([name, embedded, shared]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{embedded}</td>
                  <td>{shared}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </Band>
      <ReadNext
        links={[
          ["/architecture", "Architecture", "The way of a request and of its money, as a picture."],
          ["/features", "Features", "Everything it does."],
          ["/partners", "Partners", "A portal of your own for your customers."],
        ]}
      />
    </PublicPage>
  );
}

const PARTS = [
  {
    name: "Gateway",
    address: "/v1",
    text: "Takes requests of the usual SDKs, keeps the rules of the key, asks suppliers, and settles. Answered in front of everything else, so that it adds little.",
  },
  {
    name: "Portal",
    address: "/dashboard",
    text: "Where people sign in, make keys, invite others, set budgets and see what was used.",
  },
  {
    name: "Management API",
    address: "/v1/manage",
    text: "Keys and the audit log for programs, with an admin key. What belongs to another organisation looks as if it did not exist.",
  },
  {
    name: "Ledger",
    address: "PostgreSQL",
    text: "Holds, postings, budgets and rate windows. Its rules are constraints of the database and hold whatever the program does.",
  },
  {
    name: "Catalogue",
    address: "gw.config.yaml",
    text: "Suppliers, models, routes and prices, from a file or from the portal. A change holds for the next request in every process.",
  },
  {
    name: "Sandbox",
    address: "sandbox-…",
    text: "A supplier inside the gateway for trying things out and for your tests: real answers, real prices, faults on request.",
  },
] as const;

const PEOPLE = [
  {
    name: "Application developers",
    text: "Change two lines of an SDK, and get streams, tools, failover and typed errors.",
    path: "/developers",
    link: "Developers",
  },
  {
    name: "Organisation admins",
    text: "Hand out keys with budgets, invite people, see who spends what.",
    path: "/features#people",
    link: "Features",
  },
  {
    name: "Those who pay",
    text: "See each charge with the request that it belongs to, down to the nano-dollar.",
    path: "/pricing",
    link: "Pricing",
  },
  {
    name: "Resellers",
    text: "Have a portal on their own domain, with their own organisations below it.",
    path: "/partners",
    link: "Partners",
  },
  {
    name: "Operators",
    text: "Start it with one command, add suppliers and prices, and prove that the books are right.",
    path: "/architecture",
    link: "Architecture",
  },
] as const;

const GROWTH = [
  ["For", "trying out, one machine, small teams", "several machines, high load"],
  ["To set up", "nothing", "an address and a secret"],
  ["Processes", "one", "any number"],
  ["Limits and holds", "exact", "exact, across all processes"],
  ["A killed process", "loses no money", "loses no money; the others go on"],
] as const;
