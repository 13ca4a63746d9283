import { describe, expect, test } from "vitest";
import { forgetRefusals, refusedFields, rememberRefusal } from "~/domain/catalogue/learned/memory";
import { asGuarded } from "../__fixtures__/guarded";
import { SupplierFailure } from "../canonical/supplier-failure";
import { withoutPlaces } from "../guard/without-field";
import { refusedField, TUNABLES } from "./refused-field";

const failed = (message: string, supplierParam: string | null = null, more: object = {}) =>
  new SupplierFailure("status", message, { executed: "no", status: 400, supplierParam, ...more });

describe("the field that a supplier refuses", () => {
  test.each([
    ["temperature", "Unsupported parameter: 'temperature' is not supported with this model.", "temperature"],
    [
      "temperature",
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      "temperature",
    ],
    ["temperature", "`temperature` is deprecated for this model.", null],
    ["temperature", "invalid temperature: only 1 is allowed for this model", null],
    ["top_p", "`temperature` and `top_p` cannot both be specified for this model. Please use only one.", null],
    ["reasoning_effort", "Model grok-4 does not support parameter reasoningEffort.", null],
    ["reasoning_effort", "Unknown parameter: 'reasoning_effort'.", null],
    ["reasoning_effort", "adaptive thinking is not supported on this model: 'thinking.type'", null],
    ["presence_penalty", "Argument not supported on this model: presencePenalty", null],
    ["stop", "Argument not supported on this model: `stop`", null],
    ["user", "user: Extra inputs are not permitted", "user"],
    ["stream_options", "Unknown field stream_options", null],
    ["metadata", 'Invalid JSON payload received. Unknown name "metadata": Cannot find field.', null],
    ["prediction", "property 'prediction' is unsupported", null],
    ["client_metadata", "Unknown parameter: 'client_metadata'.", "client_metadata"],
    [
      "reasoning.summary",
      "Unsupported parameter: 'reasoning.summary' is not supported for your organization.",
      "reasoning.summary",
    ],
    [
      "parallel_tool_calls",
      "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
      "parallel_tool_calls",
    ],
  ])("%s: %s", (field, message, param) => {
    expect(refusedField(failed(message, param))).toEqual({ field, isForGood: true });
  });

  test("is left out, and not remembered, where only its value is refused", () => {
    const words =
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'none', 'low'.";
    expect(refusedField(failed(words, "reasoning_effort"))).toEqual({ field: "reasoning_effort", isForGood: false });
  });

  test.each([
    "1 validation error for ChatCompletionRequest\nreasoning_effort\n  Input should be 'low', 'medium' or 'high' [type=literal_error, input_value='xhigh', input_type=str]",
    "1 validation error for ChatCompletionRequest: reasoning_effort: Input should be 'none', 'low', 'medium' or 'high'",
    `[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': "Input should be 'low', 'medium' or 'high'", 'input': 'xhigh', 'ctx': {'expected': "'low', 'medium' or 'high'"}}]`,
    "body -> reasoning_effort: Input should be 'low', 'medium' or 'high'",
  ])("is left out where a validator names the words that it has: %s", (words) => {
    expect(refusedField(failed(words))).toEqual({ field: "reasoning_effort", isForGood: false });
  });

  test.each([
    ["temperature: Input should be less than or equal to 2", null],
    [
      `[{'type': 'literal_error', 'loc': ('body', 'messages', 0, 'role'), 'msg': "Input should be 'user'", 'input': 'reasoning_effort'}]`,
      null,
    ],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "max_tokens",
    ],
    ["Unsupported parameter: 'response_format' is not supported", "response_format"],
    ["Invalid schema for function 'temperature': object schema missing properties", "tools[0].function.parameters"],
    ["messages.0.content: temperature is not supported here", "messages.0.content"],
    ["'tools' is not supported beside 'reasoning_effort'", null],
    ["The stop is at the user's temperature", null],
    ["Temperature must be between 0 and 2", "temperature"],
    ["This model does not support images.", null],
  ])("none: %s", (message, param) => {
    expect(refusedField(failed(message, param))).toBeNull();
  });

  test.each([{ status: 500 }, { status: 429 }, { executed: "unknown" }, { executed: "yes" }])(
    "none where the supplier may have worked, or is ill: %j",
    (more) => {
      expect(refusedField(failed("`temperature` is deprecated for this model.", null, more))).toBeNull();
    },
  );
});

describe("a body without a field", () => {
  const places = (field: string) => TUNABLES.find((each) => each.field === field)!.places;

  test("keeps every other byte, wherever the field stands", () => {
    const body = asGuarded(
      '{ "a": 12345678901234567890, "temperature" : 0.2, "inferenceConfig":{"temperature":1,"topP":0.5}}',
    );
    expect(withoutPlaces(body, places("temperature"))).toBe(
      '{"a": 12345678901234567890,"inferenceConfig":{"topP":0.5}}',
    );
    expect(withoutPlaces(asGuarded('{"a":1,"inferenceConfig":{"topP":1}}'), places("top_p"))).toBe('{"a":1}');
    expect(withoutPlaces(asGuarded('{"a":{"temperature":1}}'), places("temperature"))).toBeNull();
  });
});

test("a refusal holds for one supplier's model, and until its end", () => {
  forgetRefusals();
  rememberRefusal({ supplier: "s", model: "m", field: "stop" }, 1_000);
  expect(refusedFields("s", "m", 999)).toEqual(["stop"]);
  expect(refusedFields("s", "other", 999)).toEqual([]);
  expect(refusedFields("s", "m", 1_000)).toEqual([]);
});
