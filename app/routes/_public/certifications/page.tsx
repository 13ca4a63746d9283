import { href } from "react-router";
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
  title: "Certifications",
  description: "gw has no certificates. This page says which evidence there is instead, and how to check it yourself.",
  path: "/certifications",
});

export const loader = readSite;

export default function Certifications() {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="There are none. Here is what there is."
        lead="A certificate is about an organisation and how it works, not about a program. The gw software has no SOC 2 report, no ISO 27001 certificate and no attestation of any other kind, and this page will not pretend otherwise. Whoever runs this installation may have some: ask them."
      >
        <a href={href("/contact")} className="button">
          Ask the operator
        </a>
      </PageIntro>
      <Band title="Evidence you can check" text={<p>Each of these can be repeated by anybody who has the source.</p>}>
        <ul className="panel divide-y divide-line">
          {EVIDENCE.map(({ name, text, command }) => (
            <li key={name} className="grid gap-1 px-5 py-4">
              <h3 className="font-semibold tracking-normal">{name}</h3>
              <p className="text-ink-2">{text}</p>
              <p className="mono text-sm text-ink-3">{command}</p>
            </li>
          ))}
        </ul>
      </Band>
      <Band
        title="For your own audit"
        text={
          <p>
            What auditors usually ask a gateway about, and where the answer is. It is material for an assessment, not
            the result of one.
          </p>
        }
      >
        <ScrollRegion name="For your own audit">
          <table className="data-table min-w-128">
            <thead>
              <tr>
                <th scope="col">Question</th>
                <th scope="col">What gw does</th>
                <th scope="col">Where</th>
              </tr>
            </thead>
            <tbody>
              {QUESTIONS.map(({ question, answer, path, place }) => (
                <tr key={question}>
                  <td className="font-strong">{question}</td>
                  <td className="text-ink-2">{answer}</td>
                  <td>
                    <a href={path} className="link whitespace-nowrap">
                      {place}
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </Band>
      <Band title="What is not there">
        <ul className="prose !max-w-none">
          <li>No independent penetration test has been published.</li>
          <li>
            No formal proof: the accounting is tested against a reference model, which is a strong test and not a proof.
          </li>
          <li>No statement about suppliers of models. They are chosen by the operator and have papers of their own.</li>
        </ul>
      </Band>
      <ReadNext
        links={[
          ["/controls", "Controls", "Each rule with the test that holds it."],
          ["/legal/dpa", "Data processing agreement", "Who processes what for whom."],
          ["/security", "Security", "What is protected, and how."],
        ]}
      />
    </PublicPage>
  );
}

const EVIDENCE = [
  {
    name: "The tests",
    text: "Pure rules, rooms against a real PostgreSQL, the gateway from outside with official SDKs, journeys in a browser.",
    command: "npm test",
  },
  {
    name: "Killed under load, twenty times",
    text: "kill -9 while requests run. Afterwards the ledger is compared with the supplier’s own bill.",
    command: "npm run test:crash",
  },
  {
    name: "An auditor for the books",
    text: "Reads the whole ledger, also of a running installation, and lists every row that contradicts another.",
    command: "npm run audit",
  },
  {
    name: "Measurements",
    text: "Requests a second and processor time against a proxy that does nothing, on your machine.",
    command: "npm run bench",
  },
  {
    name: "Decisions",
    text: "Why it is built this way, one page each, with the consequences.",
    command: "docs/decisions/",
  },
] as const;

const QUESTIONS = [
  {
    question: "Who can see what?",
    answer: "Roles with a scope; foreign and missing things look the same",
    path: "/controls#tenants",
    place: "Controls",
  },
  {
    question: "Where is data processed?",
    answer: "Regions locked by key or call, failing closed",
    path: "/controls#regions",
    place: "Controls",
  },
  {
    question: "How are secrets kept?",
    answer: "HMAC, Argon2id, encryption at rest; rotation",
    path: "/controls#secrets",
    place: "Controls",
  },
  {
    question: "Is there a trail?",
    answer: "Acts of people, and every request, kept append-only",
    path: "/features#people",
    place: "Features",
  },
  {
    question: "Is the bill right?",
    answer: "Double-entry ledger, an auditor, one settlement a request",
    path: "/controls#money",
    place: "Controls",
  },
  {
    question: "What happens in a crash?",
    answer: "Holds are durable rows; each is settled or reviewed",
    path: "/controls#crash",
    place: "Controls",
  },
  {
    question: "Is content stored?",
    answer: "Only where an organisation switches it on",
    path: "/legal/privacy",
    place: "Privacy",
  },
] as const;
