import { config } from "~/config.server";

/**
 * Whether emails reach their addresses, so that a link in one proves its address. Without a mail server they are files, and
 * whoever runs the installation passes their links on: to whom they please.
 */
export const emailsProve = (): boolean => config().mail.smtpUrl !== null;

/** Whether an account's address stands in nobody's way: it is confirmed, or vouched for where nothing could confirm it. */
export const addressSuffices = ({ verified, vouched }: { verified: boolean; vouched: boolean }): boolean =>
  verified || (vouched && !emailsProve());
