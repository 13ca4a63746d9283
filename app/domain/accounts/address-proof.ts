import { config } from "~/config.server";

/**
 * Returns whether emails reach their addresses, so that a link in one proves its address. Without a mail server, emails
 * are files, and the operator may pass their links on to anyone.
 */
export const emailsProve = (): boolean => config().mail.smtpUrl !== null;

/**
 * Returns whether an account's address is good enough to sign in: it is confirmed, or it is vouched for and no mail
 * server could confirm it.
 */
export const addressSuffices = ({ verified, vouched }: { verified: boolean; vouched: boolean }): boolean =>
  verified || (vouched && !emailsProve());
