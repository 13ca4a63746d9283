import { isRouteErrorResponse } from "react-router";

export type ProblemWords = { status: number; title: string; text: string; code?: string };

const TITLES: Readonly<Record<number, string>> = {
  403: "This is not open to you",
  404: "Nothing lives at this address",
  405: "This address does not take that",
};

const TITLES_OF_CODES: Readonly<Record<string, string>> = {
  csrf_rejected: "This came from somewhere else",
  invalid_token: "This link no longer works",
};

/**
 * What an error page says about a thrown thing. A response with our fields (`code`, `human_message`) speaks for itself;
 * of anything else only the status shows.
 */
export function problemOf(error: unknown): ProblemWords {
  if (!isRouteErrorResponse(error)) return unexpected(500);
  const own = ownFields(error.data);
  if (own)
    return {
      status: error.status,
      title: TITLES_OF_CODES[own.code] ?? TITLES[error.status] ?? "That did not work",
      text: own.text,
      code: own.code,
    };
  if (error.status === 404) {
    return {
      status: 404,
      title: "Nothing lives at this address",
      text: "The page may have moved, or the address has a typing error. The start page leads to everything there is.",
    };
  }
  if (error.status >= 500) return unexpected(error.status);
  return {
    status: error.status,
    title: TITLES[error.status] ?? "That did not work",
    text: "The request could not be handled as it was sent. Go back, reload the page and try again.",
  };
}

const unexpected = (status: number): ProblemWords => ({
  status,
  title: "Something broke on our side",
  text: "It has been written to the log. Reload the page in a moment; if it stays like this, tell whoever runs this gateway.",
});

function ownFields(data: unknown): { code: string; text: string } | null {
  const fields = typeof data === "string" ? parsed(data) : data;
  if (typeof fields !== "object" || fields === null) return null;
  const { code, human_message: text } = fields as { code?: unknown; human_message?: unknown };
  return typeof code === "string" && typeof text === "string" ? { code, text } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
