export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

export type Message = {
  id: string;
  model: string;
  content: readonly Block[];
  stop_reason: string;
  stop_sequence: string | null;
  usage: Record<string, number> | undefined;
};
