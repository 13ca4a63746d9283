import { describe, expect, test } from "vitest";
import { GENERAL } from "./general";
import { entryFor, FAMILIES, familyOf, type ProfiledRoute, profileNames, profileOf } from "./index";
import { SUPPLIER_FAMILIES } from "./profile";
import { HOSTS, SUPPLIERS } from "./suppliers";

const entries = FAMILIES.flat();
const at = (upstreamModel: string, supplier: Partial<ProfiledRoute["supplier"]> = {}, profile?: string) =>
  profileOf({
    upstreamModel,
    supplier: { name: "any", kind: "chat", baseUrl: "http://127.0.0.1:9/v1", ...supplier },
    ...(profile === undefined ? {} : { profile }),
  });

describe("the tables of profiles", () => {
  test.each(entries)("$name is what its example is", ({ name, example }) => {
    expect(entryFor(example)?.name).toBe(name);
  });

  test("every name is there once, and every entry is like one that is there", () => {
    const names = [...profileNames(), GENERAL.name];
    expect(new Set(names).size).toBe(names.length);
    expect(entries.flatMap(({ like }) => like ?? []).filter((like) => !names.includes(like))).toEqual([]);
    expect(SUPPLIERS.flatMap(({ profiles }) => profiles ?? []).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each([
    ...entries.map((entry) => [entry.name, entry] as const),
    ...SUPPLIERS.map((entry) => [entry.supplier, entry] as const),
  ])("%s says where it is from and when that was read", (_name, { source, read }) => {
    for (const address of source.split(" ")) expect(URL.canParse(address)).toBe(true);
    expect(read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  test.each(SUPPLIER_FAMILIES)("the supplier %s is found by its preset, its host or its kind", (family) => {
    const byHost = HOSTS.some(([, known]) => known === family);
    const byName = familyOf({ name: family, kind: "chat", baseUrl: "http://127.0.0.1/v1" }) === family;
    const byKind = (["bedrock", "vertex", "cohere", "gemini", "aggregator", "messages"] as const).some(
      (kind) => familyOf({ name: "x", kind, baseUrl: "http://127.0.0.1/v1" }) === family,
    );
    expect(byHost || byName || byKind).toBe(true);
  });
});

describe("what a model is", () => {
  test.each([
    ["gpt-5.6", "openai/gpt-5.6"],
    ["prod-gpt-5.6", "openai/gpt-5.6"],
    ["us.openai.gpt-5.6-sol", "openai/gpt-5.6"],
    ["my-azure-gpt5", "openai/gpt-5"],
    ["openai/gpt-5.1-2025-11-13", "openai/gpt-5.1"],
    ["gpt-5.10", "openai/gpt-5.6"],
    ["gpt-4o-mini", "openai/gpt"],
    ["o3", "openai/o"],
    ["accounts/fireworks/models/gpt-oss-20b", "openai/gpt-oss"],
    ["gpt-oss:120b", "openai/gpt-oss"],
    ["claude-opus-4-1-20250805", "anthropic/claude-4.5"],
    ["claude-opus-4-20250514", "anthropic/claude-4"],
    ["claude-sonnet-4-0", "anthropic/claude-4"],
    ["claude-3-7-sonnet-latest", "anthropic/claude-4"],
    ["global.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic/claude-4.5"],
    ["anthropic/claude-sonnet-4.5", "anthropic/claude-4.5"],
    ["claude-opus-4-10", "anthropic/claude-4.7"],
    ["claude-opus-5", "anthropic/claude-5"],
    ["gemini-pro-latest", "google/gemini-3"],
    ["gemini-3.5-flash-lite", "google/gemini-3-flash"],
    ["gemini-2.5-flash-lite", "google/gemini-2.5"],
    ["models/gemini-1.5-pro", "google/gemini"],
    ["deepseek.r1-v1:0", "deepseek/deepseek-reasoner"],
    ["deepseek-ai/DeepSeek-V3.2", "deepseek/deepseek"],
    ["Qwen/Qwen3.5-397B-A17B-FP8", "qwen/qwen3"],
    ["qwen3-coder-plus", "qwen/qwen"],
    ["kimi-k2-0905-preview", "moonshot/kimi"],
    ["fireworks/kimi-k2p6", "moonshot/kimi-k2.5"],
    ["zai-glm-4.7", "zai/glm-4.5"],
    ["grok-4-1-fast-non-reasoning", "xai/grok"],
    ["grok-4.20-0309-reasoning", "xai/grok-4"],
    ["llama-3.3-70b-versatile", "general"],
  ])("%s is %s", (model, name) => {
    expect(at(model).name).toBe(name);
  });

  test("the catalogue says it where the name does not", () => {
    expect(at("blue", {}, "openai/gpt-5.6").thinking.form).toBe("effort");
    expect(at("gpt-5.6", {}, "anthropic/claude-5").fields.temperature).toBe("refused");
  });

  test("a supplier's own words come over the model's", () => {
    expect(at("us.openai.gpt-5.6-sol", { kind: "bedrock" }).thinking.form).toBe("reasoning");
    expect(at("openai.gpt-oss-120b-1:0", { kind: "bedrock" }).thinking.form).toBe("effort");
    expect(
      at("qwen3.6-plus", { baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1" }).thinking.form,
    ).toBe("enableThinking");
  });

  test("an unknown model has every member", () => {
    expect(at("llama")).toEqual(GENERAL);
  });
});
