import { isSignedByAwsKey } from "../../support/aws-signature";
import { ACCESS_KEY } from "../../support/stand-in-bedrock";
import { changedCall, names, unknownIn } from "../chat/checks";
import { type Json, type Rule, writeExactly } from "../twin";

export const CONVERSE = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html";
export const NOVA = "https://docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html";
const FIELDS = names(
  "messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields requestMetadata outputConfig performanceConfig promptVariables additionalModelResponseFieldPaths serviceTier",
);
const BLOCKS = names("text image document video toolUse toolResult reasoningContent cachePoint guardContent");

export const allBlocks = (messages: Json[]) =>
  messages.flatMap(({ role, content }, at) =>
    content.map((block: Json, index: number) => ({ role, block, at, index })),
  );
export const toolsOf = ({ toolConfig }: Json): Json[] =>
  (toolConfig?.tools ?? []).flatMap(({ toolSpec }: Json) => (toolSpec === undefined ? [] : [toolSpec]));
export const more = ({ additionalModelRequestFields }: Json): Json => additionalModelRequestFields ?? {};
const idsIn = (message: Json, kind: string): string[] =>
  (message?.content ?? []).flatMap((block: Json) => (block[kind] === undefined ? [] : [block[kind].toolUseId]));

/** Rules of Converse for all models. */
export const SHAPE: readonly Rule[] = [
  {
    rule: "requests are signed with an access key",
    source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html",
    date: "2026-01",
    check: (_body, _memory, { request, text }) =>
      isSignedByAwsKey(request, text, { accessKey: ACCESS_KEY, region: "eu", service: "bedrock" })
        ? undefined
        : {
            status: 403,
            message: "The security token included in the request is invalid.",
            type: "UnrecognizedClientException",
          },
  },
  {
    rule: "no member that is not described",
    source: CONVERSE,
    date: "2026-06",
    check: (body) => {
      const unknown = unknownIn(body, FIELDS);
      return unknown === undefined ? undefined : `unknown member ${unknown}`;
    },
  },
  {
    rule: "turns alternate and begin with the user",
    source: CONVERSE,
    date: "2026-06",
    check: ({ messages }) => {
      if (messages?.[0]?.role !== "user")
        return "A conversation must start with a user message. Try again with a conversation that starts with a user message.";
      return messages.some(({ role }: Json, at: number) => at > 0 && messages[at - 1].role === role)
        ? 'roles must alternate between "user" and "assistant"'
        : undefined;
    },
  },
  {
    rule: "a block has one kind, and no text is blank",
    source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html",
    date: "2026-06",
    check: ({ messages, system = [] }) => {
      const blocks = [...allBlocks(messages).map(({ block }) => block), ...system];
      const bad = blocks.find((block) => Object.keys(block).length !== 1 || !BLOCKS.has(Object.keys(block)[0]!));
      if (bad !== undefined) return `The content block has ${Object.keys(bad).join(" and ")}`;
      if (messages.some(({ content }: Json) => content.length === 0))
        return "The content field in the Message object is empty. Add a ContentBlock object to the content field and try again.";
      return blocks.some(({ text }) => text !== undefined && text.trim() === "")
        ? "The text field in the ContentBlock object is blank. Add text to the text field, and try again."
        : undefined;
    },
  },
  {
    rule: "a history with tools has a toolConfig",
    source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html",
    date: "2026-06",
    check: ({ messages, toolConfig }) =>
      toolConfig === undefined && allBlocks(messages).some(({ block }) => block.toolUse ?? block.toolResult)
        ? "The toolConfig field must be defined when using toolUse and toolResult content blocks."
        : undefined,
  },
  {
    rule: "the results of a turn are those of the calls before it, one each",
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html",
    date: "2026-06",
    check: ({ messages }) => {
      for (const [at, message] of messages.entries()) {
        const made = idsIn(messages[at - 1], "toolUse");
        const results = idsIn(message, "toolResult");
        if (results.length > made.length)
          return `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`;
        const open = made.find((id) => !results.includes(id));
        if (open !== undefined)
          return `Expected toolResult blocks at messages.${at}.content for the following Ids: ${open}`;
      }
      return idsIn(messages.at(-1), "toolUse").length > 0 ? "Expected toolResult blocks at the end." : undefined;
    },
  },
  {
    rule: "ids and names of calls are plain and at most 64 characters long",
    source: CONVERSE,
    date: "2026-06",
    check: ({ messages }) =>
      allBlocks(messages).some(
        ({ block: { toolUse } }) =>
          toolUse !== undefined &&
          !(/^[a-zA-Z0-9_-]{1,64}$/.test(toolUse.toolUseId) && /^[a-zA-Z0-9_-]{1,64}$/.test(toolUse.name)),
      )
        ? "Value at 'messages.1.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+"
        : undefined,
  },
  {
    rule: "the schema of a tool is an object schema",
    source: "https://github.com/alibaba/spring-ai-alibaba/issues/3082",
    date: "2025-11",
    check: (body) =>
      toolsOf(body).some(({ inputSchema }) => inputSchema?.json?.type !== "object")
        ? "The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object."
        : undefined,
  },
  {
    rule: "arguments of calls come back exactly, integers beyond 2^53 included",
    source: "https://www.rfc-editor.org/rfc/rfc8259#section-6",
    date: "2017-12",
    check: ({ messages }) =>
      allBlocks(messages)
        .flatMap(({ block: { toolUse } }) =>
          toolUse === undefined ? [] : [changedCall(toolUse.name, writeExactly(toolUse.input))],
        )
        .find((fault) => fault !== undefined),
  },
  {
    rule: "a temperature is at most 1",
    source: "https://github.com/mnfst/modelparams.dev/pull/305",
    date: "2026-08",
    check: ({ inferenceConfig }) =>
      inferenceConfig?.temperature > 1
        ? "Value at 'inferenceConfig.temperature' failed to satisfy constraint: Member must have value less than or equal to 1"
        : undefined,
  },
];
