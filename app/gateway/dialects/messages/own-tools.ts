import type { ToolDefinition } from "../../canonical/conversation";
import { isObject, type JsonObject } from "../wire/events/reading";

type Declared = { types: RegExp; description: string; properties: JsonObject; required: readonly string[] };

const TEXT = { type: "string" };
const WHOLE = { type: "integer" };
const POINT = { type: "array", items: WHOLE, minItems: 2, maxItems: 2 };
const oneOf = (...values: string[]) => ({ type: "string", enum: values });

/** Parameters of the file editor's edit commands. */
const EDITS = {
  file_text: { ...TEXT, description: "For create: the content of the file." },
  old_str: { ...TEXT, description: "For str_replace: the text to replace, which stands in the file exactly once." },
  new_str: { ...TEXT, description: "For str_replace: the text in its place." },
  insert_line: { ...WHOLE, description: "For insert: the line behind which the text goes; 0 is the beginning." },
  insert_text: { ...TEXT, description: "For insert: the text." },
  view_range: { ...POINT, description: "For view: the first and the last line; -1 is the end." },
};

/**
 * Tools of this format that the client runs and that only Claude knows by type. Other models get them as functions.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#client-tools
 */
const OWN_TOOLS: readonly Declared[] = [
  {
    types: /^bash_\d+$/,
    description: "Runs a command in a bash session that keeps its state between calls.",
    properties: {
      command: { ...TEXT, description: "The command to run; needed unless restart is true." },
      restart: { type: "boolean", description: "Restarts the session." },
    },
    required: [],
  },
  {
    types: /^text_editor_\d+$/,
    description: "Views, creates and edits files.",
    properties: {
      command: oneOf("view", "create", "str_replace", "insert"),
      path: { ...TEXT, description: "The absolute path of a file or folder." },
      ...EDITS,
    },
    required: ["command", "path"],
  },
  {
    types: /^memory_\d+$/,
    description:
      "Keeps notes in files beneath /memories. Look there before you begin, and note what will matter later.",
    properties: {
      command: oneOf("view", "create", "str_replace", "insert", "delete", "rename"),
      path: { ...TEXT, description: "The path, beneath /memories; for rename use old_path and new_path." },
      ...EDITS,
      old_path: TEXT,
      new_path: TEXT,
    },
    required: ["command"],
  },
  {
    types: /^computer_\d+$/,
    description:
      "Uses the mouse and the keyboard of a computer and takes pictures of its screen. Coordinates are pixels.",
    properties: {
      action: oneOf(
        ...["screenshot", "left_click", "right_click", "middle_click", "double_click", "triple_click", "mouse_move"],
        ...["left_click_drag", "left_mouse_down", "left_mouse_up", "cursor_position", "scroll", "type", "key"],
        ...["hold_key", "wait"],
      ),
      coordinate: { ...POINT, description: "Where, from the left and from the top." },
      start_coordinate: { ...POINT, description: "For left_click_drag: where it begins." },
      text: { ...TEXT, description: "For type: the text; for key and hold_key: the keys, such as ctrl+s." },
      scroll_direction: oneOf("up", "down", "left", "right"),
      scroll_amount: WHOLE,
      duration: { type: "number", description: "For wait and hold_key: seconds." },
    },
    required: ["action"],
  },
];

/** Returns such a tool as a function; null for any other tool. */
export function ownTool(tool: JsonObject): ToolDefinition | null {
  const { type, name, display_width_px: width, display_height_px: height } = tool;
  if (typeof type !== "string" || typeof name !== "string") return null;
  const declared = OWN_TOOLS.find(({ types }) => types.test(type));
  if (declared === undefined) return null;
  const { description, properties, required } = declared;
  const screen = typeof width === "number" && typeof height === "number" ? ` The screen has ${width} x ${height}.` : "";
  return {
    name,
    description: description + screen,
    schema: { type: "object", properties, required: [...required] },
    strict: null,
    ...(isObject(tool.cache_control) ? { cacheControl: tool.cache_control } : {}),
  };
}
