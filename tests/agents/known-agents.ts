import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Agent, type Place, packaged } from "./agent";

const platform = `${process.platform}-${process.arch}`;

/** The coding agent of the messages family. */
export const claudeCode: Agent = {
  name: "@anthropic-ai/claude-code",
  command: packaged(`@anthropic-ai/claude-code-${platform}/claude`),
  arguments: (_place, prompt) => ["-p", prompt, "--allowedTools", "Read,Edit,Bash"],
  environment: ({ url, key, model }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_SMALL_FAST_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  }),
  reading: (folder) => ({ name: "Read", input: { file_path: join(folder, "note.txt") } }),
  changing: (folder, { from, to }) => [
    { call: { name: "Read", input: { file_path: join(folder, "note.txt") } }, shows: from },
    { call: { name: "Edit", input: { file_path: join(folder, "note.txt"), old_string: from, new_string: to } } },
    { call: { name: "Bash", input: { command: "cat note.txt", description: "Shows the note" } }, shows: to },
  ],
};

export const opencode: Agent = {
  name: "opencode-ai",
  command: packaged(`opencode-${platform}/bin/opencode`),
  arguments: ({ model }, prompt) => ["run", "--model", `gw/${model}`, prompt],
  files: ({ url, key, model }: Place) => ({
    "opencode.json": {
      autoupdate: false,
      share: "disabled",
      small_model: `gw/${model}`,
      provider: {
        gw: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: key },
          models: { [model]: { tool_call: true, limit: { context: 128_000, output: 4_096 } } },
        },
      },
    },
  }),
  environment: (_place, home) => ({
    OPENCODE_CONFIG: join(home, "opencode.json"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
  reading: (folder) => ({ name: "read", input: { filePath: join(folder, "note.txt") } }),
  changing: (folder, { from, to }) => [
    { call: { name: "read", input: { filePath: join(folder, "note.txt") } }, shows: from },
    { call: { name: "edit", input: { filePath: join(folder, "note.txt"), oldString: from, newString: to } } },
    { call: { name: "bash", input: { command: "cat note.txt", description: "Shows the note" } }, shows: to },
  ],
};

export const continueCli: Agent = {
  name: "@continuedev/cli",
  command: packaged("@continuedev/cli/dist/cn.js", process.execPath),
  arguments: (_place, prompt) => [
    "--config",
    "../config.yaml",
    "--allow",
    "Read",
    "--allow",
    "MultiEdit",
    "--allow",
    "Edit",
    "--allow",
    "Bash",
    "-p",
    prompt,
  ],
  files: ({ url, key, model }) => ({
    "config.yaml": {
      name: "gw",
      version: "1.0.0",
      schema: "v1",
      models: [
        {
          name: "gw",
          provider: "openai",
          model,
          apiBase: `${url}/v1`,
          apiKey: key,
          roles: ["chat"],
          capabilities: ["tool_use"],
        },
      ],
    },
  }),
  environment: () => ({ CONTINUE_TELEMETRY_ENABLED: "0", CONTINUE_CLI_ENABLE_TELEMETRY: "0" }),
  reading: (folder) => ({ name: "Read", input: { filepath: join(folder, "note.txt") } }),
  changing: (folder, { from, to }) => [
    { call: { name: "Read", input: { filepath: join(folder, "note.txt") } }, shows: from },
    {
      call: {
        name: "MultiEdit",
        input: { file_path: join(folder, "note.txt"), edits: [{ old_string: from, new_string: to }] },
      },
      // It offers the first tool to models that it knows by name, and the second to all others.
      otherwise: { name: "Edit", input: { file_path: join(folder, "note.txt"), old_string: from, new_string: to } },
    },
    { call: { name: "Bash", input: { command: "cat note.txt" } }, shows: to },
  ],
};

/** The coding agent of the native family, on its own path or on the path of all models. */
const codexAt = (path: string): Agent => ({
  name: `@openai/codex at ${path}`,
  command: packaged("@openai/codex/bin/codex.js", process.execPath),
  arguments: (_place, prompt) => [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    prompt,
  ],
  files: ({ url, model }) => ({
    ".codex/config.toml": `model = "${model}"
model_provider = "gw"

[model_providers.gw]
name = "gw"
base_url = "${url}${path}"
env_key = "GW_KEY"
wire_api = "responses"
`,
  }),
  environment: ({ key }) => ({ GW_KEY: key }),
  reading: () => ({ name: "exec_command", input: { cmd: "cat note.txt" } }),
  changing: (_folder, { from, to }) => [
    { call: { name: "exec_command", input: { cmd: "cat note.txt" } }, shows: from },
    { call: { name: "exec_command", input: { cmd: `sed -i s/${from}/${to}/ note.txt` } } },
    { call: { name: "exec_command", input: { cmd: "cat note.txt" } }, shows: to },
  ],
  // Its launcher forwards signals, but cannot forward SIGKILL.
  endedBy: "SIGTERM",
});

export const codex: Agent = codexAt("/v1/vendorb");
export const codexOnResponses: Agent = codexAt("/v1");

const NOTES_SERVER = fileURLToPath(new URL("./notes-server.mjs", import.meta.url));

/** The same agent with an MCP server, whose tool it calls. */
export const codexWithServer: Agent = {
  ...codexOnResponses,
  name: `${codexOnResponses.name} with an MCP server`,
  files: (place) => ({
    ".codex/config.toml": `${codexOnResponses.files!(place)[".codex/config.toml"]}
[mcp_servers.notes]
command = "${process.execPath}"
args = ["${NOTES_SERVER}"]
`,
  }),
  changing: (folder, change) => {
    const [read, ...rest] = codexOnResponses.changing(folder, change);
    const asked = { call: { name: "word_of_the_day", input: { language: "en" } } };
    return [read!, { ...asked, shows: "The word of the day is quince." }, ...rest];
  },
};
