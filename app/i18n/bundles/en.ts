import activity from "../locales/en/activity";
import admin from "../locales/en/admin";
import adminModels from "../locales/en/adminModels";
import autorouter from "../locales/en/autorouter";
import autoTopup from "../locales/en/autoTopup";
import batches from "../locales/en/batches";
import billing from "../locales/en/billing";
import budgets from "../locales/en/budgets";
import budgetTree from "../locales/en/budgetTree";
import conversations from "../locales/en/conversations";
import credit from "../locales/en/credit";
import dashboard from "../locales/en/dashboard";
import dryRun from "../locales/en/dryRun";
import getStarted from "../locales/en/getStarted";
import guardrails from "../locales/en/guardrails";
import guide from "../locales/en/guide";
import invite from "../locales/en/invite";
import jobs from "../locales/en/jobs";
import keys from "../locales/en/keys";
import mail from "../locales/en/mail";
import modelPages from "../locales/en/modelPages";
import navigation from "../locales/en/navigation";
import payer from "../locales/en/payer";
import playground from "../locales/en/playground";
import prices from "../locales/en/prices";
import problems from "../locales/en/problems";
import promotions from "../locales/en/promotions";
import publicWords from "../locales/en/public";
import quality from "../locales/en/quality";
import reasons from "../locales/en/reasons";
import reconcile from "../locales/en/reconcile";
import rejections from "../locales/en/rejections";
import reports from "../locales/en/reports";
import requestLog from "../locales/en/requestLog";
import settings from "../locales/en/settings";
import shortage from "../locales/en/shortage";
import signIn from "../locales/en/signIn";
import statements from "../locales/en/statements";
import status from "../locales/en/status";
import ui from "../locales/en/ui";
import usage from "../locales/en/usage";
import type { Words } from "../words";

export default {
  activity,
  conversations,
  guardrails,
  quality,
  autorouter,
  admin,
  autoTopup,
  batches,
  billing,
  budgets,
  budgetTree,
  credit,
  dashboard,
  dryRun,
  getStarted,
  guide,
  invite,
  jobs,
  keys,
  mail,
  adminModels,
  modelPages,
  navigation,
  payer,
  playground,
  prices,
  problems,
  promotions,
  public: publicWords,
  reconcile,
  reasons,
  rejections,
  requestLog,
  settings,
  shortage,
  signIn,
  statements,
  status,
  ui,
  reports,
  usage,
} satisfies Words;
