import type { ModelProfile, TuningField } from "~/domain/catalogue/profiles";
import type { Conversation } from "../../canonical/conversation";
import type { AskedThinking } from "./thoughts/thinking";

/** Tuning fields of a conversation with the values that a model accepts. Null and empty fields are not sent. */
export type Tuning = {
  temperature: number | null;
  topP: number | null;
  topK: number | null;
  stop: readonly string[];
  parallelToolCalls: boolean | null;
  endUser: string | null;
  /** Fields that the client set and that are not sent, by their names in the chat dialect. */
  leftOut: readonly string[];
};

/** Returns the tuning fields for a model. `isVisible`: whether the supplier accepts a stop sequence. */
export function tuningFor(
  conversation: Conversation,
  profile: ModelProfile,
  { thinking, isVisible = () => true }: { thinking: AskedThinking; isVisible?: (sequence: string) => boolean },
): Tuning {
  const { temperature, topP, topK, stopSequences, parallelToolCalls, endUser, tools } = conversation;
  const { maxTemperature, minTopPWhileThinking, samplers, maxStops } = profile;
  const thinks = thinking.says === "on" && minTopPWhileThinking !== null;
  const isFree = thinking.level !== null && profile.thinking.unbounded.includes(thinking.level);
  const takes = (field: TuningField) =>
    takesField(profile, field, thinking) && !(isFree && (field === "temperature" || field === "top_p"));
  const heat = takes("temperature") && !(thinks && temperature !== 1) && (temperature ?? 0) <= maxTemperature;
  const alone = samplers === "one" && heat && temperature !== null && temperature !== 1;
  const mass = takes("top_p") && !(thinks && (topP ?? 1) < minTopPWhileThinking) && !alone;
  const stop = takes("stop") ? stopSequences.filter(isVisible).slice(0, maxStops ?? undefined) : [];
  const sent = {
    temperature: heat ? temperature : null,
    topP: mass ? topP : null,
    topK: takes("top_k") && !thinks ? topK : null,
    stop,
    parallelToolCalls: takes("parallel_tool_calls") ? parallelToolCalls : null,
    endUser: takes("user") ? endUser : null,
  };
  const leftOut = [
    // 1 is the default of every supplier, so its omission changes nothing.
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

/** Whether a model accepts a field in a request with this thinking setting. */
export function takesField(
  { fields }: ModelProfile,
  field: TuningField,
  { says }: Pick<AskedThinking, "says">,
): boolean {
  const rule = fields[field];
  return rule === "taken" || (rule === "withoutThinking" && says === "off");
}
