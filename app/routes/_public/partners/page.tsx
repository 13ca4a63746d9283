import { href } from "react-router";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { FactList } from "../parts/FactList";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { readSite } from "../parts/site.server";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Partners",
  description:
    "For resellers: a portal on your own domain, with your name, and your customers' organisations below it.",
  path: "/partners",
});

export const loader = readSite;

export default function Partners() {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="Your customers, your domain, one gateway"
        lead="A reseller has a portal under its own address and name. Its customers are organisations below it. Keys, budgets, regions and the ledger are the same as everywhere."
      >
        <a href={href("/contact")} className="button button-primary">
          Talk to the operator
        </a>
      </PageIntro>
      <Band
        title="What a reseller gets"
        text={<p>Set up by the operator of this installation, in the administration of organisations.</p>}
      >
        <FactList facts={GETS} />
      </Band>
      <Band title="How it begins">
        <ol className="panel divide-y divide-line">
          {STEPS.map(({ name, text }, place) => (
            <li key={name} className="grid grid-cols-[2rem_minmax(0,1fr)] px-5 py-4">
              <span className="text-ink-3 tabular-nums">{place + 1}</span>
              <div>
                <h3 className="font-semibold tracking-normal">{name}</h3>
                <p className="text-ink-2">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Band>
      <Band title="What stays with the operator" text={<p>So that nobody is surprised later.</p>}>
        <ul className="prose !max-w-none">
          <li>Suppliers, models and prices come from the installation’s catalogue.</li>
          <li>The operator can see every organisation, and every look is in the trail.</li>
          <li>Which discount or margin a reseller has is a contract between the two. gw does not know it.</li>
        </ul>
      </Band>
      <ReadNext
        links={[
          ["/platform", "Platform", "The parts, and how they belong together."],
          ["/features#people", "For people", "Organisations, roles, keys, invitations."],
          ["/legal/dpa", "Data processing", "Who processes what for whom."],
        ]}
      />
    </PublicPage>
  );
}

const GETS = [
  {
    name: "A domain of its own",
    text: "The portal answers under the reseller’s address. Sign-in with an identity provider is handed over by a token that works once.",
  },
  { name: "Name and colour", text: "The portal shows the reseller’s name, accent colour and support address." },
  {
    name: "Organisations below",
    text: "Each customer has an organisation with departments, people, keys and budgets, and sees nothing of the others.",
  },
  {
    name: "The same promises",
    text: "No overspending, regions that fail closed, one ledger. They hold below a reseller as they do elsewhere.",
  },
];

const STEPS = [
  { name: "Agree", text: "With the operator, on prices and terms. Passing on access needs an agreement." },
  { name: "Point your domain", text: "At this installation; the operator adds it to your organisation." },
  { name: "Invite", text: "Your people first, then your customers’ administrators. They do the rest themselves." },
] as const;
