/** A rule, its enforcement, and tests that fail without it. A contract test verifies that each test exists. */
export type Control = { rule: string; how: string; tests: readonly { file: string; name: string }[] };
/** `id` is the anchor of its rules on the page. */
export type ControlArea = { id: string; controls: readonly Control[] };

const test = (file: string, name: string) => ({ file, name });

const money: ControlArea = {
  id: "money",
  controls: [
    {
      rule: "No budget is overspent, however many requests arrive at once",
      how: "The most that a request can cost is held in one transaction, in every budget and the wallet or in none, before a supplier is called.",
      tests: [
        test(
          "app/domain/accounting/concurrency.db.test.ts",
          "1,000 calls at once against a budget of 0.05 USD never overspend it and use it up",
        ),
        test(
          "app/domain/accounting/books/scopes.db.test.ts",
          "whatever the limits: every scope is held or none, none is overspent, and the right one refuses",
        ),
        test(
          "tests/gateway/chat/chat-budget.test.ts",
          "spend no nano-dollar more, by the supplier's own bill, and use it up",
        ),
      ],
    },
    {
      rule: "Every call is charged exactly once",
      how: "Settlement is idempotent by the id of the call and posts cost, frees the hold and writes the usage row in one step.",
      tests: [
        test("app/domain/accounting/accounting.db.test.ts", "settling twice charges once, also at the same moment"),
        test(
          "tests/gateway/chat/chat-settlement.test.ts",
          "at any byte: one dispatch, one usage row, no character twice",
        ),
        test("tests/gateway/chat/chat-settlement.test.ts", "a complete answer is charged to the token"),
      ],
    },
    {
      rule: "What was refused or never worked on costs nothing",
      how: "A failure carries proof whether the supplier can have worked. Without it the hold stays and is looked into.",
      tests: [
        test(
          "tests/gateway/chat/chat-settlement.test.ts",
          "a refusal of the supplier costs nothing and frees the hold",
        ),
        test("app/gateway/suppliers/toolkit/post.test.ts", "no connection: nothing was executed"),
        test(
          "app/domain/accounting/accounting.db.test.ts",
          "a call that was not executed is free and still in the request log",
        ),
      ],
    },
    {
      rule: "The books add up at every moment",
      how: "The ledger is double-entry and append-only, with its rules as constraints of the database. A reference model runs beside it in tests over random histories.",
      tests: [
        test(
          "app/domain/accounting/model.db.test.ts",
          "every history ends as the reference model says, and the books are sound after every step",
        ),
        test(
          "app/domain/accounting/concurrency.db.test.ts",
          "random calls of shared scopes, with connections killed under them, lose nothing and double nothing",
        ),
      ],
    },
    {
      rule: "Rate limits are exact across processes",
      how: "The sliding minute lives in the database, in the same statement as the hold.",
      tests: [
        test("tests/gateway/chat/chat-budget.test.ts", "a rate limit is exact across both processes"),
        test(
          "app/domain/accounting/accounting.db.test.ts",
          "the rate window admits exactly its limit, and says when the oldest request leaves it",
        ),
      ],
    },
  ],
};

const crash: ControlArea = {
  id: "crash",
  controls: [
    {
      rule: "A killed process loses no charge and doubles none",
      how: "A hold is a durable row with a state. After a crash it is settled at its checkpoint, freed if nothing was sent, or put into review.",
      tests: [
        test(
          "tests/gateway/money/crash.test.ts",
          "kill -9 under load loses no charge and doubles none (short form of npm run test:crash)",
        ),
        test(
          "app/domain/accounting/outage.db.test.ts",
          "leases: a live call keeps its hold, a dead one's goes to review and is settled at its checkpoint",
        ),
      ],
    },
    {
      rule: "What was answered under load is booked, whatever becomes of the process",
      how: "Before an answer leaves ahead of its booking, the settlement is in a write-ahead log that the next process takes over.",
      tests: [
        test(
          "app/domain/accounting/ahead/settle-ahead.db.test.ts",
          "what a process had answered when it died is booked by the next one, once",
        ),
        test(
          "app/domain/accounting/ahead/write-ahead-log.test.ts",
          "nothing is written over that is not booked: clients wait then, and go on when it is",
        ),
      ],
    },
    {
      rule: "A settlement survives a database that is away",
      how: "It goes to a local journal, flushed to the disk, and is replayed once.",
      tests: [
        test(
          "app/domain/accounting/ahead/journal.test.ts",
          "many at once are on disk when they are acknowledged, and each is replayed",
        ),
        test(
          "app/domain/accounting/outage.db.test.ts",
          "a journal that cannot be written: no settlement is acknowledged, nothing is admitted until it works",
        ),
      ],
    },
    {
      rule: "A stop lets streams finish and books everything",
      how: "New work is refused, streams get their time, then they are cut with an error event and settled.",
      tests: [
        test(
          "tests/gateway/process/drain.test.ts",
          "asked to stop, the process lets a stream finish, takes nothing new, books everything and exits with 0",
        ),
      ],
    },
    {
      rule: "Acknowledged writes of the embedded database survive a power cut",
      how: "Every commit is flushed before it is acknowledged.",
      tests: [
        test("app/database/embedded/embedded.db.test.ts", "flushes to the disk on every commit"),
        test(
          "app/database/embedded/embedded.db.test.ts",
          "what was acknowledged survives kill -9 of the database, which starts again by itself",
        ),
      ],
    },
  ],
};

const regions: ControlArea = {
  id: "regions",
  controls: [
    {
      rule: "No dispatch leaves the regions and models of a call",
      how: "What may be used is decided first. Retries, probes, sessions and the autorouter choose among that and see nothing else.",
      tests: [
        test(
          "app/gateway/route/lock.mock.test.ts",
          "no dispatch leaves the regions, the models and the suppliers that a call is allowed: 40,000 random runs",
        ),
        test(
          "tests/gateway/routing/routing-failover.test.ts",
          "holds through failure: the supplier outside is never connected to",
        ),
      ],
    },
    {
      rule: "A call narrows the lock of its key and never widens it",
      how: "Both have to allow a supplier’s region. A supplier without a region is inside nothing.",
      tests: [
        test("app/domain/routing/policy.test.ts", "the call can narrow the key's lock but never widen it"),
        test("app/domain/routing/policy.test.ts", "without a region the supplier is inside nothing"),
      ],
    },
    {
      rule: "Counting tokens and the model auto keep the same locks",
      how: "They go through the same decision.",
      tests: [
        test("tests/gateway/clients/sdk-messages.test.ts", "the region lock holds for counts too"),
        test("tests/gateway/routing/routing-auto.test.ts", "stays within the key's models and regions"),
      ],
    },
  ],
};

const secrets: ControlArea = {
  id: "secrets",
  controls: [
    {
      rule: "Keys cannot be read out of the database",
      how: "Only an HMAC under the installation’s secret is stored.",
      tests: [
        test("app/domain/keys/keys.db.test.ts", "is kept as an HMAC only"),
        test(
          "app/domain/keys/secrets/secret-hash.test.ts",
          "the stored hash is HMAC-SHA256 under a pepper derived from GW_SECRET",
        ),
      ],
    },
    {
      rule: "Credentials never cross from one side to the other",
      how: "Headers pass by allow-list both ways, and logs blank whatever looks like a key.",
      tests: [
        test(
          "tests/gateway/chat/chat-pass-through.test.ts",
          "the client's key, cookies and addresses never reach the supplier; gw's credential and the call's id do",
        ),
        test(
          "tests/gateway/chat/chat-pass-through.test.ts",
          "the supplier's key is in no answer, no header and no log line",
        ),
        test("app/observe/log.server.test.ts", "a key is blanked wherever it turns up"),
      ],
    },
    {
      rule: "A revoked key is refused everywhere within a second",
      how: "The database tells every process, and no look-up from before the change is kept.",
      tests: [
        test(
          "tests/gateway/chat/chat-budget.test.ts",
          "a key that one process revokes is refused by the other within a second",
        ),
        test("app/domain/keys/keys.db.test.ts", "a look-up that was under way when the key was revoked is not kept"),
      ],
    },
    {
      rule: "One-time links are stored nowhere and work once",
      how: "Only a hash of the token is kept, and using it is one conditional update.",
      tests: [
        test("app/domain/accounts/opening/complete-setup.db.test.ts", "the token itself is stored nowhere"),
        test(
          "app/domain/accounts/opening/complete-setup.db.test.ts",
          "of many who use a link at the same moment exactly one wins",
        ),
      ],
    },
  ],
};

const tenants: ControlArea = {
  id: "tenants",
  controls: [
    {
      rule: "What belongs to another organisation looks like nothing",
      how: "The scope is part of every query. The answer for foreign and for missing is the same.",
      tests: [
        test(
          "tests/gateway/manage/manage-keys.test.ts",
          "keys of another organisation and keys that are not there look the same",
        ),
        test("tests/gateway/manage/manage-audit-logs.test.ts", "calls of another organisation are not there"),
      ],
    },
    {
      rule: "Files that people open run no formula",
      how: "A text that a spreadsheet would run gets an apostrophe in front.",
      tests: [
        test(
          "tests/gateway/manage/manage-audit-logs.test.ts",
          "the file has the same fields, and nothing in it runs as a formula",
        ),
      ],
    },
    {
      rule: "An organisation cannot lock itself out",
      how: "The last active admin key cannot be revoked, suspended or given an end.",
      tests: [
        test(
          "tests/gateway/manage/manage-keys.test.ts",
          "the last admin key cannot end itself; with a second one it can",
        ),
        test("app/domain/keys/keys.db.test.ts", "of two that end each other at once, one is left"),
      ],
    },
  ],
};

const protocol: ControlArea = {
  id: "protocol",
  controls: [
    {
      rule: "A broken stream never looks complete",
      how: "It ends with one error event of its own dialect, without the sign of a clean end. A grammar checks every stream in the tests.",
      tests: [
        test("tests/contract/stream-grammar.test.ts", "accepts whole streams and broken ones that say so"),
        test(
          "app/gateway/dialects/translate/stream.test.ts",
          "an error event ends the stream with the supplier's words, and nothing after it is shown",
        ),
      ],
    },
    {
      rule: "Whoever hangs up stops the supplier within a second",
      how: "Every stream has exactly one exit, and it settles.",
      tests: [
        test(
          "tests/gateway/clients/sdk-openai.test.ts",
          "leaves in mid-stream: the supplier's connection closes within a second, and there is one usage row",
        ),
      ],
    },
    {
      rule: "What cannot be converted is refused by name",
      how: "Nothing is dropped in silence between the two styles of API.",
      tests: [
        test(
          "tests/gateway/clients/sdk-messages.test.ts",
          "what the other dialect cannot express is refused by name, and costs nothing",
        ),
        test(
          "app/gateway/dialects/translate/cases/any-body.test.ts",
          "every body is taken or refused, by name and never by accident",
        ),
      ],
    },
    {
      rule: "Hostile input ends in a refusal, not in a fault",
      how: "Sizes, depths, times and framing are bounded before anything is understood.",
      tests: [
        test("tests/gateway/limits/limits.test.ts", "ambiguous framing is one 400 and the end of the connection"),
        test("tests/gateway/media/transcription.test.ts", "a form with 100,000 parts, quickly"),
        test("app/gateway/dialects/translate/stream.test.ts", "no stream of any JSON makes a reader throw"),
      ],
    },
  ],
};

const pages: ControlArea = {
  id: "portal",
  controls: [
    {
      rule: "Nothing is changed by another site’s page",
      how: "Every unsafe request has to prove that it comes from this portal, pages and data alike.",
      tests: [
        test("app/access/same-origin.test.ts", "reading is never rejected"),
        test("app/access/same-origin.test.ts", "callers that prove themselves are left to their own check"),
      ],
    },
    {
      rule: "Pages run no foreign script and fit a phone",
      how: "Scripts by nonce only. Public pages load one small script and no framework.",
      tests: [
        test(
          "tests/e2e/public-pages.spec.ts",
          "every public page keeps its policy, fits 360 px and loads without framework code",
        ),
      ],
    },
    {
      rule: "Errors say nothing of the inside",
      how: "Codes come from one catalogue. An unexpected error is internal_error, without a word of the original.",
      tests: [
        test("app/ui/shell/error-page-text.test.ts", "of anything else only the status shows"),
        test("tests/contract/error-catalogue.test.ts", "every code that is thrown is in the catalogue"),
      ],
    },
    {
      rule: "The description of the API is the API",
      how: "It is made from the route table and the schemas that the handlers read by.",
      tests: [test("tests/contract/openapi.test.ts", "everything that is served is described, and nothing else is")],
    },
  ],
};

export const CONTROLS: readonly ControlArea[] = [money, crash, regions, secrets, tenants, protocol, pages];
