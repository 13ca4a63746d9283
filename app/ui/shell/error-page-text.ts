import type { TFunction } from "i18next";
import { isRouteErrorResponse } from "react-router";

export type ErrorPageText = { status: number; title: string; text: string; code?: string };
type Text = TFunction<"ui">;

/**
 * Returns the text of an error page for a thrown value, in the language of `t`. A response with the fields `code` and
 * `human_message` supplies its own text; for any other value only the status is shown.
 */
export function problemOf(error: unknown, t: Text): ErrorPageText {
  if (!isRouteErrorResponse(error)) return unexpected(500, t);
  const { status } = error;
  const own = ownFields(error.data);
  if (own?.wrong?.source === "path") {
    return { status, title: t("errorPage.notFound"), text: t("errorPage.notFoundText"), code: own.code };
  }
  if (own?.wrong) {
    const text = t("form.line", { label: own.wrong.name, text: own.text });
    return { status, title: t("errorPage.address"), text, code: own.code };
  }
  if (own) return { status, title: titleOfCode(own.code, t) ?? titleOf(status, t), text: own.text, code: own.code };
  if (status >= 500) return unexpected(status, t);
  return { status, title: titleOf(status, t), text: t(status === 404 ? "errorPage.notFoundText" : "errorPage.again") };
}

const unexpected = (status: number, t: Text): ErrorPageText => ({
  status,
  title: t("errorPage.failed"),
  text: t("errorPage.failedText"),
});

function titleOf(status: number, t: Text): string {
  if (status === 403) return t("errorPage.noAccess");
  if (status === 404) return t("errorPage.notFound");
  return status === 405 ? t("errorPage.method") : t("errorPage.failed");
}

function titleOfCode(code: string, t: Text): string | null {
  if (code === "csrf_rejected") return t("errorPage.blocked");
  return code === "invalid_token" ? t("errorPage.link") : null;
}

/** `wrong`: the part of the address with the invalid value; null if the error is elsewhere. */
function ownFields(data: unknown): { code: string; text: string; wrong: WrongPart | null } | null {
  const fields = typeof data === "string" ? parsed(data) : data;
  if (typeof fields !== "object" || fields === null) return null;
  const { code, human_message: text, detail } = fields as Record<string, unknown>;
  return typeof code === "string" && typeof text === "string" ? { code, text, wrong: wrongPart(detail) } : null;
}

type WrongPart = { source: "path" | "query"; name: string };

function wrongPart(detail: unknown): WrongPart | null {
  const [first] = Array.isArray(detail) ? detail : [];
  const [source, name] = Array.isArray(first?.loc) ? first.loc : [];
  return (source === "path" || source === "query") && typeof name === "string" ? { source, name } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
