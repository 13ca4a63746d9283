import type { ModelProfile, TuningField } from "~/domain/catalogue/profiles";
import type { Conversation } from "../../canonical/conversation";
import type { AskedThinking } from "./thinking";

/** The fields of a conversation that tune, as a model takes them; null and empty: they are not sent. */
export type Tuning = {
  temperature: number | null;
  topP: number | null;
  topK: number | null;
  stop: readonly string[];
  parallelToolCalls: boolean | null;
  endUser: string | null;
  /** What is not sent although it asks for something, by the names of the chat dialect. */
  leftOut: readonly string[];
};

/** What of a conversation's fields is sent to a model. `isVisible`: stop sequences need a character that can be seen. */
export function tuningFor(
  conversation: Conversation,
  profile: ModelProfile,
  { thinking, isVisible = () => true }: { thinking: AskedThinking; isVisible?: (sequence: string) => boolean },
): Tuning {
  const { temperature, topP, topK, stopSequences, parallelToolCalls, endUser, tools } = conversation;
  const { mostTemperature, leastTopPWhileThinking, samplers, mostStops } = profile;
  const thinks = thinking.says === "on" && leastTopPWhileThinking !== null;
  const isFree = thinking.level !== null && profile.thinking.unbounded.includes(thinking.level);
  const takes = (field: TuningField) =>
    takesField(profile, field, thinking) && !(isFree && (field === "temperature" || field === "top_p"));
  const heat = takes("temperature") && !(thinks && temperature !== 1) && (temperature ?? 0) <= mostTemperature;
  const alone = samplers === "one" && heat && temperature !== null && temperature !== 1;
  const mass = takes("top_p") && !(thinks && (topP ?? 1) < leastTopPWhileThinking) && !alone;
  const stop = takes("stop") ? stopSequences.filter(isVisible).slice(0, mostStops ?? undefined) : [];
  const sent = {
    temperature: heat ? temperature : null,
    topP: mass ? topP : null,
    topK: takes("top_k") && !thinks ? topK : null,
    stop,
    parallelToolCalls: takes("parallel_tool_calls") ? parallelToolCalls : null,
    endUser: takes("user") ? endUser : null,
  };
  const leftOut = [
    // One is the default everywhere.
    ...(temperature !== null && temperature !== 1 && sent.temperature === null ? ["temperature"] : []),
    ...(topP !== null && topP !== 1 && sent.topP === null ? ["top_p"] : []),
    ...(topK !== null && sent.topK === null ? ["top_k"] : []),
    ...(stop.length < stopSequences.length ? ["stop"] : []),
    ...(parallelToolCalls === false && tools.length > 0 && sent.parallelToolCalls === null
      ? ["parallel_tool_calls"]
      : []),
    ...(endUser !== null && sent.endUser === null ? ["user"] : []),
  ];
  return { ...sent, leftOut };
}

/** Whether a model takes a field in a request that says this of thinking. */
export function takesField(
  { fields }: ModelProfile,
  field: TuningField,
  { says }: Pick<AskedThinking, "says">,
): boolean {
  const rule = fields[field];
  return rule === "taken" || (rule === "withoutThinking" && says === "off");
}
