import { spawnSync } from "node:child_process";
import { pythonProgram, type SessionAgent } from "./agent";

const FENCE = "```";

/** Formats in which aider's model writes a change in its answer. */
const FORMATS = {
  diff: (from: string, to: string) =>
    `note.txt\n${FENCE}\n<<<<<<< SEARCH\nthe word is ${from}\n=======\nthe word is ${to}\n>>>>>>> REPLACE\n${FENCE}`,
  whole: (_from: string, to: string) => `note.txt\n${FENCE}\nthe word is ${to}\n${FENCE}`,
};

/** Matches its prompts for commit messages. */
const ERRAND = /one-line Git commit messages/;
/** Texts that it sends after the model's turns: a file was added, and the output of a command (twice). */
const SHOWN = ["I added these files to the chat:", "And got this output:"];

const git = (folder: string, ...args: string[]) =>
  spawnSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { cwd: folder });

/**
 * A pair programmer without tools. Its model asks for files, writes changes as blocks of its answer, and receives the
 * output of the test command. The model's first change is wrong, so that the test command fails once.
 */
function aiderWith(name: string, format: keyof typeof FORMATS, more: readonly string[]): SessionAgent {
  const edit = FORMATS[format];
  return {
    name,
    command: pythonProgram("aider"),
    arguments: ({ model }, prompt) => [
      ...["--model", `openai/${model}`, "--edit-format", format, "--yes-always", "--no-pretty", "--no-fancy-input"],
      ...["--no-check-update", "--no-show-release-notes", "--no-show-model-warnings", "--no-detect-urls"],
      ...["--no-suggest-shell-commands", "--analytics-disable", "--no-auto-lint", "--auto-test"],
      ...["--test-cmd", "cat note.txt && grep -q quince note.txt", ...more, "--message", prompt],
    ],
    environment: ({ url, key }) => ({
      OPENAI_API_BASE: `${url}/v1`,
      OPENAI_API_KEY: key,
      // Otherwise it downloads its list of models.
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
    }),
    prepare(folder) {
      git(folder, "init", "--quiet");
      git(folder, "add", "note.txt");
      git(folder, "commit", "--quiet", "--message", "A note");
    },
    changing: (_folder, { from, to }) => [
      { text: "Please add note.txt to the chat.", shows: `the word is ${from}` },
      { text: edit(from, "quinze"), shows: "the word is quinze" },
      { text: edit("quinze", to) },
    ],
    shown: ({ text }) => (ERRAND.test(text) ? null : SHOWN.filter((words) => text.includes(words)).map(() => text)),
  };
}

export const aider = aiderWith("aider", "diff", []);
export const aiderWhole = aiderWith("aider with whole answers and files", "whole", ["--no-stream"]);
