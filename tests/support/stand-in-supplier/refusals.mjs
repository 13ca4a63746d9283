/** @typedef {{ status: number, headers: Record<string, string>, body: string }} Refusal */

/** @param {number} status @param {string} code @param {string} type @param {string} message @param {Record<string, string>} [headers] @returns {Refusal} */
const refuse = (status, code, type, message, headers = {}) => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify({ error: { message, type, param: null, code } }),
});

/** Returns the answer of faults that are a plain HTTP answer; null for all others. None is billed. @param {string} fault @param {string} argument @returns {Refusal | null} */
export function refusalFor(fault, argument) {
  switch (fault) {
    case "400":
      return refuse(
        400,
        "context_length_exceeded",
        "invalid_request_error",
        "prompt is too long: 9 tokens > 8 maximum",
      );
    case "401":
      return refuse(401, "invalid_api_key", "authentication_error", "the supplier does not know this key");
    case "403":
      return refuse(403, "forbidden", "permission_error", "the supplier's account may not do this");
    case "404":
      return refuse(404, "model_not_found", "invalid_request_error", "no such model at the supplier");
    case "422":
      return refuse(422, "unprocessable", "invalid_request_error", "a field does not fit");
    case "429":
      return refuse(429, "rate_limit_exceeded", "rate_limit_error", "too many requests", retryAfter(argument));
    case "500":
      return refuse(500, "server_error", "server_error", "the supplier failed");
    case "503":
      return refuse(503, "unavailable", "server_error", "the supplier is unavailable", { "retry-after": "1" });
    case "529":
      return refuse(529, "overloaded_error", "overloaded_error", "the supplier is overloaded");
    case "html":
      return {
        status: Number(argument || 200),
        headers: { "content-type": "text/html" },
        body: "<html><body><h1>Welcome</h1><script>alert(1)</script></body></html>",
      };
    case "empty":
      return { status: 200, headers: { "content-type": "application/json" }, body: "" };
    case "redirect":
      return { status: 302, headers: { location: argument === "" ? "http://127.0.0.1:9/" : argument }, body: "" };
    case "error-in-200":
      return { ...refuse(200, "engine_failed", "server_error", "the engine failed"), status: 200 };
    default:
      return null;
  }
}

/** @param {string} form @returns {Record<string, string>} */
function retryAfter(form) {
  if (form === "date") return { "retry-after": new Date(Date.now() + 7_000).toUTCString() };
  if (form === "ms") return { "retry-after-ms": "1500" };
  return form === "none" ? {} : { "retry-after": "7" };
}
