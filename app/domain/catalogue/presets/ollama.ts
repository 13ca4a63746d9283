import { log } from "~/observe/log.server";
import type { FileModel } from "../file/file-schema";
import { limitsOf } from "./limits";

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 1_000_000;

/** Last model list of each server, so that a brief failure removes no models. */
const lastListed = new Map<string, readonly string[]>();

/**
 * Lists the models that an Ollama server has pulled, free of charge, under their own names. Omits names that are taken.
 * A server that has never answered has no models.
 */
export async function listPulled(baseUrl: string, existing: readonly FileModel[]): Promise<FileModel[]> {
  try {
    lastListed.set(baseUrl, await namesAt(baseUrl));
  } catch (error) {
    log.warn({ err: error, baseUrl }, "the Ollama server does not list its models");
  }
  const others = new Set(existing.map(({ id }) => id));
  return (lastListed.get(baseUrl) ?? []).filter((name) => !others.has(name)).map(freeModel);
}

async function namesAt(baseUrl: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/models`, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_BYTES) throw new Error("its list is too long");
  const { data } = JSON.parse(text) as { data?: unknown };
  if (!Array.isArray(data)) throw new Error("its answer is no list of models");
  const names = data.map((entry: { id?: unknown } | null) => entry?.id);
  return names.filter((name): name is string => typeof name === "string" && /^[\x21-\x7e]{1,200}$/.test(name));
}

function freeModel(id: string): FileModel {
  const { contextTokens, maxOutputTokens } = limitsOf(id, undefined);
  const price = { input_per_mtok: 0n, output_per_mtok: 0n };
  return {
    id,
    owned_by: "ollama",
    capability: /embed/.test(id) ? "embedding" : "chat",
    context_tokens: contextTokens,
    max_output_tokens: maxOutputTokens,
    routes: [{ supplier: "ollama", upstream_model: id, priority: 1, weight: 1, price }],
  };
}
