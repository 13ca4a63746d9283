import { apiError } from "~/errors/app-error";
import { issueMessage } from "~/errors/issue-words";
import { messageOf } from "~/errors/message";
import { NewPasswordField } from "../shared";
import { isWeakPassword } from "./weak-password";

/**
 * Checks a password that is chosen for an account; `param` is its field.
 * @throws AppError weak_password, with the reason.
 */
export function requireStrongPassword(password: string, email?: string, param = "password"): void {
  const read = NewPasswordField.safeParse(password, { error: issueMessage });
  if (!read.success) throw apiError("weak_password", { ...messageOf(read.error.issues[0]?.message ?? ""), param });
  if (email && password.toLowerCase().includes(email))
    throw apiError("weak_password", { key: "problems:passwordHasEmail", param });
  if (isWeakPassword(password)) throw apiError("weak_password", { key: "problems:passwordCommon", param });
}
