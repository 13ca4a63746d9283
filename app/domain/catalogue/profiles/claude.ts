import { ANY_SCHEMA } from "./general";
import type { ProfileEntry, SchemaRules } from "./profile";

const STRUCTURED = "https://platform.claude.com/docs/en/build-with-claude/structured-outputs";
const MIGRATION = "https://platform.claude.com/docs/en/about-claude/models/migration-guide";
const EFFORT = "https://platform.claude.com/docs/en/build-with-claude/effort";

/** Keywords that constrained answers do not support; the vendor's SDKs move them into the description. */
export const CONSTRAINED: SchemaRules = {
  ...ANY_SCHEMA,
  refused: [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
  ],
  formats: ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
  maxMinItems: 1,
  closed: true,
};

/** Claude, in the messages API, in Bedrock and at other suppliers. */
export const CLAUDE: readonly ProfileEntry[] = [
  {
    name: "anthropic/claude",
    models: /(^|[^a-z0-9])claude/,
    example: "claude-3-5-haiku-20241022",
    source: STRUCTURED,
    read: "2026-11-27",
    rules: {
      fields: { top_k: "taken" },
      maxTemperature: 1,
      minTopPWhileThinking: 0.95,
      forcedToolWhileThinking: "refused",
      // "input_schema does not support oneOf, allOf, or anyOf at the top level": https://github.com/anthropics/claude-code/issues/5973
      toolSchema: { ...ANY_SCHEMA, plain: true },
      strictToolSchema: { ...CONSTRAINED, plain: true },
      outputSchema: CONSTRAINED,
      // Constrained answers are available from Opus 4.1 on.
      strictTools: "refused",
      outputForm: "told",
      resultPictures: "inside",
      reasoning: { field: null },
      takesSealedThoughts: true,
      foreignSeals: "refused",
      cachePoints: "everywhere",
    },
  },
  {
    name: "anthropic/claude-4",
    like: "anthropic/claude",
    models: /(^|[^a-z0-9])claude-(3-7|((opus|sonnet|haiku)-4)($|-(?![1-9]($|[^0-9]))))/,
    example: "claude-sonnet-4-20250514",
    source: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
    read: "2026-11-27",
    rules: { thinking: { form: "budget", levels: ["low", "medium", "high"], canStop: true } },
  },
  {
    name: "anthropic/claude-4.5",
    like: "anthropic/claude-4",
    models: /(^|[^a-z0-9])claude-(opus|sonnet|haiku)-4[-.][1-5]($|[^0-9])/,
    example: "claude-haiku-4-5-20251001",
    source:
      "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html",
    read: "2026-11-27",
    rules: { samplers: "one", strictTools: "taken", outputForm: "schema" },
  },
  {
    name: "anthropic/claude-opus-4.5",
    like: "anthropic/claude-4.5",
    models: /(^|[^a-z0-9])claude-opus-4[-.]5($|[^0-9])/,
    example: "claude-opus-4-5-20251101",
    source: EFFORT,
    read: "2026-11-27",
    rules: { thinking: { outputEffort: true } },
  },
  {
    name: "anthropic/claude-4.6",
    like: "anthropic/claude-4.5",
    models: /(^|[^a-z0-9])claude-(opus|sonnet|haiku)-4[-.]6($|[^0-9])/,
    example: "claude-sonnet-4-6",
    source: EFFORT,
    read: "2026-11-27",
    rules: {
      thinking: {
        form: "adaptive",
        levels: ["low", "medium", "high", "max"],
        takesBudget: true,
        outputEffort: true,
      },
      lastAssistant: "refused",
    },
  },
  {
    name: "anthropic/claude-4.7",
    like: "anthropic/claude-4.6",
    models: /(^|[^a-z0-9])claude-(opus|sonnet|haiku)-4[-.]([7-9]|\d\d)($|[^0-9])/,
    example: "claude-opus-4-8",
    source: MIGRATION,
    read: "2026-11-27",
    rules: {
      fields: { temperature: "refused", top_p: "refused", top_k: "refused" },
      thinking: { levels: ["low", "medium", "high", "xhigh", "max"], takesBudget: false },
    },
  },
  {
    name: "anthropic/claude-5",
    like: "anthropic/claude-4.7",
    models: /(^|[^a-z0-9])claude-[a-z]+-([5-9]|\d\d)($|[^0-9])/,
    example: "claude-sonnet-5",
    source: "https://github.com/srtab/daiv/pull/1429",
    read: "2026-11-27",
    rules: {},
  },
  {
    name: "anthropic/claude-fable-5",
    like: "anthropic/claude-5",
    models: /(^|[^a-z0-9])claude-fable-/,
    example: "claude-fable-5",
    source: "https://github.com/mnfst/modelparams.dev",
    read: "2026-11-27",
    rules: { thinking: { byDefault: true, canStop: false } },
  },
];
