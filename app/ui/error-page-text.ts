import { isRouteErrorResponse } from "react-router";

export type ErrorPageText = { status: number; title: string; text: string; code?: string };

const TITLES: Readonly<Record<number, string>> = {
  403: "You don’t have access to this page",
  404: "Page not found",
  405: "Method not allowed",
};

const TITLES_OF_CODES: Readonly<Record<string, string>> = {
  csrf_rejected: "Request blocked (cross-origin)",
  invalid_token: "This link no longer works",
};

/**
 * What an error page says about a thrown thing. A response with our fields (`code`, `human_message`) speaks for itself;
 * of anything else only the status shows.
 */
export function problemOf(error: unknown): ErrorPageText {
  if (!isRouteErrorResponse(error)) return unexpected(500);
  const own = ownFields(error.data);
  if (own)
    return {
      status: error.status,
      title: TITLES_OF_CODES[own.code] ?? TITLES[error.status] ?? "Something went wrong",
      text: own.text,
      code: own.code,
    };
  if (error.status === 404) {
    return {
      status: 404,
      title: "Page not found",
      text: "Check the address for typos, or go to the home page.",
    };
  }
  if (error.status >= 500) return unexpected(error.status);
  return {
    status: error.status,
    title: TITLES[error.status] ?? "Something went wrong",
    text: "Go back, reload the page and try again.",
  };
}

const unexpected = (status: number): ErrorPageText => ({
  status,
  title: "Something went wrong",
  text: "The error was logged. Reload the page in a moment. If it keeps happening, contact the operator.",
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
