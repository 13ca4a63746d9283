import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError, environmentVariable, readConfig } from "~/config.server";
import { dropEncodingMark } from "./encoding-mark";
import { ENVIRONMENT_NAMES } from "./environment";
import { withSettingFiles } from "./setting-files";

const SECRET = "0123456789abcdef0123456789abcdef";

describe("a setting in a file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gw-settings-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const read = (variables: Record<string, string>) => readConfig(withSettingFiles(variables, ENVIRONMENT_NAMES));

  test("is read as Docker and Kubernetes mount it, with a line's end, a mark of its encoding, or neither", () => {
    const settings = read({
      GW_SECRET_FILE: file("secret", `${SECRET}\r\n`),
      DATABASE_URL_FILE: ` ${file("address", "\ufeffpostgresql://u:p%23@h/d\n")} `,
      OPENAI_API_KEY_FILE: file("key", "sk-1"),
      PORT_FILE: "",
    });
    expect(settings).toMatchObject({ secrets: [SECRET], databaseUrl: "postgresql://u:p%23@h/d", port: 3000 });
    expect(settings.providerKeys).toEqual(readConfig({ OPENAI_API_KEY: "sk-1" }).providerKeys);
  });

  test("that cannot be read, is empty, or is there otherwise, too, is refused in one line", () => {
    const secret = file("secret", SECRET);
    for (const [variables, message] of [
      [
        { GW_SECRET_FILE: join(folder, "none") },
        `the file of GW_SECRET_FILE, ${join(folder, "none")}, cannot be read: ENOENT`,
      ],
      [{ DATABASE_URL_FILE: folder }, `the file of DATABASE_URL_FILE, ${folder}, cannot be read: EISDIR`],
      [
        { DATABASE_URL_FILE: file("empty", " \n") },
        `the file of DATABASE_URL_FILE, ${join(folder, "empty")}, is empty`,
      ],
      [
        { GW_SECRET: SECRET, GW_SECRET_FILE: secret },
        "GW_SECRET and GW_SECRET_FILE are both set: one of them is enough",
      ],
      [{ GW_SECERT_FILE: secret }, "unknown setting GW_SECERT_FILE; the settings are listed in docs/configuration.md"],
    ] as const)
      expect(() => read(variables)).toThrow(new ConfigError(message));
  });
});

test("a byte order mark in front of a file of variables is no part of the first name, and what is set already wins", () => {
  const environment: Record<string, string | undefined> = { "\ufeffPORT": "1", GW_CONFIG: "a" };
  dropEncodingMark(environment);
  expect(environment).toEqual({ PORT: "1", GW_CONFIG: "a" });
  const set = { PORT: "2", "\ufeffPORT": "1" };
  dropEncodingMark(set);
  expect(set).toEqual({ PORT: "2" });
});

test("a .env file is read as editors of Windows and shells write it", () => {
  const folder = mkdtempSync(join(tmpdir(), "gw-env-"));
  const lines = [
    "\ufeffGW_T_FIRST=1",
    'export GW_T_QUOTED="two words"',
    "GW_T_SINGLE='a#b'",
    "# a comment",
    "GW_T_EMPTY=",
    "GW_T_ADDRESS=postgresql://u:p%23@h/d?sslmode=require # ours",
  ];
  writeFileSync(join(folder, ".env"), lines.map((line) => `${line}\r\n`).join(""));
  try {
    process.loadEnvFile(join(folder, ".env"));
    dropEncodingMark(process.env);
    const read = ["FIRST", "QUOTED", "SINGLE", "EMPTY", "ADDRESS"].map((name) => environmentVariable(`GW_T_${name}`));
    expect(read).toEqual(["1", "two words", "a#b", undefined, "postgresql://u:p%23@h/d?sslmode=require"]);
  } finally {
    for (const name of Object.keys(process.env)) if (name.includes("GW_T_")) delete process.env[name];
    rmSync(folder, { recursive: true });
  }
});
