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
  title: "Security",
  description:
    "How keys, content, money and accounts are protected, what is stored and what is not, and how to report a weakness.",
  path: "/security",
});

export const loader = readSite;

export default function Security() {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="What is protected, and how"
        lead="A gateway sees every prompt and holds the keys to every supplier. So it stores little, refuses when in doubt, and each promise on this page has a test."
      >
        <a href="/controls" className="button button-primary">
          Controls and their tests
        </a>
        <a href="/legal/security" className="button">
          Report a weakness
        </a>
      </PageIntro>
      <Band
        title="Keys and passwords"
        text={<p>What was stolen from the database could not be used to sign in or to call.</p>}
      >
        <FactList facts={SECRETS} />
      </Band>
      <Band
        title="Content"
        text={<p>Prompts and answers pass through memory. That is all, unless an organisation decides otherwise.</p>}
      >
        <FactList facts={CONTENT} />
      </Band>
      <Band
        title="Boundaries"
        text={<p>Between organisations, between regions, and between a client and the suppliers.</p>}
      >
        <FactList facts={BOUNDARIES} />
      </Band>
      <Band
        title="The portal"
        text={<p>Pages that run no foreign script, and changes that only come from these pages.</p>}
      >
        <FactList facts={PORTAL} />
      </Band>
      <Band title="What is up to the operator" text={<p>A program cannot do these.</p>}>
        <ul className="prose !max-w-none list-disc pl-5">
          {OPERATOR.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Band>
      <ReadNext
        links={[
          ["/controls", "Controls", "Each rule with the test that holds it."],
          ["/certifications", "Certifications", "Which evidence there is, and which there is not."],
          ["/legal/privacy", "Privacy", "Which personal data is processed."],
        ]}
      />
    </PublicPage>
  );
}

const SECRETS = [
  {
    name: "Keys are kept as HMACs",
    text: "A key is shown once. What the database keeps cannot be turned back into it.",
  },
  { name: "Passwords are hashed with Argon2id", text: "Sessions and one-time links are stored as hashes too." },
  {
    name: "Keys check themselves",
    text: "A checksum in each key refuses typing errors and inventions before anything is looked up, and lets scanners find leaked ones.",
  },
  {
    name: "Rotation without a gap",
    text: "Keys rotate with an overlap; the installation’s own secret rotates while it runs.",
  },
];

const CONTENT = [
  {
    name: "Not stored",
    text: "Neither prompts nor answers are written to the database or to a log, unless an organisation switches storing on, with a number of days. Answers under an Idempotency-Key are kept encrypted for 24 hours.",
  },
  { name: "Not logged", text: "One line a request: ids, model, region, counts, cost. No bodies, no secrets." },
  {
    name: "Uploads vanish",
    text: "Audio waits on disk without a name while it arrives, and is gone with the call, or with the process.",
  },
  {
    name: "No third parties on these pages",
    text: "No analytics, no fonts or scripts from elsewhere, no cookies but those that are needed.",
  },
];

const BOUNDARIES = [
  {
    name: "Foreign looks like missing",
    text: "What belongs to another organisation is answered exactly like what does not exist.",
  },
  {
    name: "Regions and models fail closed",
    text: "A request outside its key’s rules is refused. It is never sent elsewhere, on no retry and no probe.",
  },
  {
    name: "Credentials never cross",
    text: "A client’s key never reaches a supplier, and a supplier’s never reaches a client, a header or a log.",
  },
  {
    name: "Bodies steer nothing",
    text: "No field of a request decides where gw connects to or with which credential. Headers pass by allow-list.",
  },
];

const PORTAL = [
  { name: "Content security policy", text: "Scripts run by nonce only; nothing inline, no frames around the pages." },
  {
    name: "Same origin",
    text: "Every change has to prove that it comes from a page of this portal. Others get csrf_rejected.",
  },
  { name: "Sessions", text: "An opaque cookie for this host only, 12 hours without use and 14 days at most." },
  { name: "Errors tell nothing", text: "No stack trace and no text of an internal error leaves the process." },
];

const OPERATOR = [
  "Serving it over https, with BASE_URL set to the public address.",
  "Keeping the secret of the installation and backups of the database apart.",
  "Choosing suppliers, and what their contracts say about data.",
  "Updating: only the newest release gets security fixes.",
  "Keeping the root admin key out of applications.",
];
