import { isObject, type JsonObject } from "../wire/events/reading";

export type LocalForm = "localShell" | "shell" | "applyPatch";

/**
 * A tool of this dialect that the client runs and that only the vendor's models know by type. Other models get it as a
 * function. `member`: the member of a call's item that contains the arguments.
 */
export type LocalTool = {
  type: string;
  name: string;
  prefix: string;
  description: string;
  schema: JsonObject;
  member: "action" | "operation";
  /** Converts the arguments of the function to that member. */
  write(input: JsonObject): JsonObject;
  /** Describes the result of a call as text. */
  result(output: JsonObject): string;
};

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const MILLISECONDS = { type: "integer", description: "After so many milliseconds it is ended." };

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : typeof value === "string" ? [value] : [];
const numberOr = (value: unknown): number | null => (typeof value === "number" ? value : null);
const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/**
 * Local tools by form. https://platform.openai.com/docs/guides/tools-shell
 * https://platform.openai.com/docs/guides/tools-apply-patch
 */
export const LOCAL_TOOLS: Readonly<Record<LocalForm, LocalTool>> = {
  localShell: {
    type: "local_shell",
    name: "local_shell",
    prefix: "lsh",
    description: "Runs a command on the user's computer.",
    schema: {
      type: "object",
      properties: {
        command: { ...TEXTS, description: "The program and its arguments." },
        working_directory: TEXT,
        timeout_ms: MILLISECONDS,
      },
      required: ["command"],
    },
    member: "action",
    write: ({ command, working_directory, timeout_ms }) => ({
      type: "exec",
      command: texts(command),
      env: {},
      ...(typeof working_directory === "string" ? { working_directory } : {}),
      ...(typeof timeout_ms === "number" ? { timeout_ms } : {}),
    }),
    result: ({ output }) => textOr(output, JSON.stringify(output ?? "")),
  },
  shell: {
    type: "shell",
    name: "shell",
    prefix: "sh",
    description: "Runs commands of a shell on the user's computer, each on its own and at the same time.",
    schema: {
      type: "object",
      properties: {
        commands: TEXTS,
        timeout_ms: MILLISECONDS,
        max_output_length: { type: "integer", description: "So many characters of what each one prints." },
      },
      required: ["commands"],
    },
    member: "action",
    write: ({ commands, timeout_ms, max_output_length }) => ({
      commands: texts(commands),
      timeout_ms: numberOr(timeout_ms),
      max_output_length: numberOr(max_output_length),
    }),
    result: ({ output }) => (Array.isArray(output) ? output.map(printed).join("\n") : textOr(output, "")),
  },
  applyPatch: {
    type: "apply_patch",
    name: "apply_patch",
    prefix: "apc",
    description: "Creates, changes or deletes a file.",
    schema: {
      type: "object",
      properties: {
        type: { ...TEXT, enum: ["create_file", "update_file", "delete_file"] },
        path: { ...TEXT, description: "Relative to the working directory." },
        diff: {
          ...TEXT,
          description:
            "For create_file: the lines of the file, each behind a +. For update_file: parts that begin with a line @@, in which lines that stay begin with a space, lines that go with a - and lines that come with a +; three lines that stay stand around each change.",
        },
      },
      required: ["type", "path"],
    },
    member: "operation",
    write: ({ type, path, diff }) => ({
      type: textOr(type, "update_file"),
      path: textOr(path, ""),
      ...(type === "delete_file" ? {} : { diff: textOr(diff, "") }),
    }),
    result: ({ status, output }) => [textOr(status, ""), textOr(output, "")].filter((line) => line !== "").join(": "),
  },
};

/** Returns a command's output and exit status as text. */
function printed(output: unknown): string {
  if (!isObject(output)) return "";
  const { stdout, stderr, outcome } = output;
  const { type, exit_code } = isObject(outcome) ? outcome : {};
  const end = type === "timeout" ? "(timed out)" : typeof exit_code === "number" ? `(exit code ${exit_code})` : "";
  return [textOr(stdout, ""), textOr(stderr, ""), end].filter((line) => line !== "").join("\n");
}

const FORMS = Object.keys(LOCAL_TOOLS) as LocalForm[];

/**
 * Returns the form of a local tool, or of an item about one whose type ends in `ending`. Null for other tools and for
 * those that the supplier runs.
 */
export function localForm(
  { type, environment }: JsonObject,
  ending: "" | "_call" | "_call_output" = "",
): LocalForm | null {
  if (isObject(environment) && environment.type !== "local") return null;
  return FORMS.find((form) => LOCAL_TOOLS[form].type + ending === type) ?? null;
}

/** Whether a call form is that of a local tool. */
export const isLocal = (form: string): form is LocalForm => form in LOCAL_TOOLS;
