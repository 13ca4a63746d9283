import { exactly, type Heard, type Said, writeExactly } from "./twin";

/** An integer that a double cannot represent exactly. */
const LONG_ID = "1234567890123456789";

/** Inputs of the scripted model's calls, by the original name of the tool. They must come back unchanged. */
const INPUTS: Readonly<Record<string, readonly object[]>> = {
  look_up: [
    { id: exactly(LONG_ID), what: 'naïve "quotes" \\ 日本\n' },
    { id: exactly("9007199254740993"), what: "" },
  ],
  store: [{ note: "kept", parts: [{ weight: 0.1, count: exactly("9223372036854775807") }] }],
  list: [{}],
  screenshot: [{}],
  search_documents: [{ query: "budgets" }],
};

export const inputsOf = (tool: string): readonly string[] => (INPUTS[tool] ?? []).map((input) => writeExactly(input));

/** Returns the original name of a tool; a gateway may have added a prefix. */
export const plainName = (name: string): string => Object.keys(INPUTS).find((tool) => name.endsWith(tool)) ?? name;

export const STRUCTURED = '{"score":7,"label":"good","tags":["a"]}';
export const LONG_THOUGHT = 4_000;
export const LARGE_PICTURE = `data:image/png;base64,${"A".repeat(8 << 20)}`;

type Step = { calls: readonly [tool: string, input: number][]; text?: string };

/** The tool calls of each script, turn by turn; the last turn is an answer in words. */
const STEPS: Readonly<Record<string, readonly Step[]>> = {
  tools: [{ calls: [["look_up", 0]], text: "Let me look." }, { calls: [["store", 0]] }],
  parallel: [
    {
      calls: [
        ["look_up", 0],
        ["look_up", 1],
      ],
    },
  ],
  once: [{ calls: [["look_up", 0]] }],
  blank: [{ calls: [["list", 0]] }],
  screenshot: [{ calls: [["screenshot", 0]] }],
  namespace: [{ calls: [["search_documents", 0]] }],
};

/**
 * The scripted model: the prompt names its script as `script:tools`. It calls the tools of the script in turn. Its
 * answer repeats their results, the marked texts and the number of pictures; it thinks if the request asks for it.
 */
export function play(heard: Heard): Said {
  const script = /script:([a-z-]+)/.exec(heard.text)?.[1] ?? "";
  const thought =
    script === "long-thought"
      ? Array(LONG_THOUGHT).fill(" a thought, and then the next one")
      : ["Hm, ", "let me think."];
  const thoughts = heard.thinks ? thought : [];
  const { calls } = remaining(STEPS[script] ?? [], heard.results.length);
  const [step] = calls;
  if (step !== undefined && heard.tools.length > 0)
    return {
      thoughts,
      text: step.text ?? "",
      calls: step.calls.map(([tool, at]) => ({
        name: heard.tools.find((name) => plainName(name) === tool) ?? tool,
        input: INPUTS[tool]![at]!,
      })),
    };
  // For a supplier without schema support, the prompt contains the schema.
  if (heard.hasSchema || /It follows this JSON schema:/.test(heard.text))
    return { thoughts, text: STRUCTURED, calls: [] };
  const picture = script === "draw" ? { picture: LARGE_PICTURE } : {};
  return { thoughts, text: wordsOf(script, heard), calls: [], ...picture };
}

/** Returns the steps without results. */
function remaining(steps: readonly Step[], results: number): { calls: readonly Step[] } {
  let left = results;
  const open = steps.filter(({ calls }) => {
    left -= calls.length;
    return left < 0;
  });
  return { calls: open };
}

function wordsOf(script: string, { text, results, pictures }: Heard): string {
  const marks = [...new Set(text.match(/\bmark-[a-z]+\b/g) ?? [])].sort();
  const told = [
    ...(results.length === 0 ? [] : [`Results: ${results.join(" | ")}.`]),
    ...(marks.length === 0 ? [] : [`Marks: ${marks.join(" ")}.`]),
    ...(pictures === 0 ? [] : [`Pictures: ${pictures}.`]),
  ];
  return [`Done with ${script}.`, ...told].join(" ");
}
