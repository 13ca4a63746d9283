import activity from "../locales/es/activity";
import admin from "../locales/es/admin";
import adminModels from "../locales/es/adminModels";
import autorouter from "../locales/es/autorouter";
import autoTopup from "../locales/es/autoTopup";
import batches from "../locales/es/batches";
import billing from "../locales/es/billing";
import budgets from "../locales/es/budgets";
import budgetTree from "../locales/es/budgetTree";
import conversations from "../locales/es/conversations";
import credit from "../locales/es/credit";
import dashboard from "../locales/es/dashboard";
import dryRun from "../locales/es/dryRun";
import getStarted from "../locales/es/getStarted";
import guardrails from "../locales/es/guardrails";
import guide from "../locales/es/guide";
import invite from "../locales/es/invite";
import jobs from "../locales/es/jobs";
import keys from "../locales/es/keys";
import mail from "../locales/es/mail";
import modelPages from "../locales/es/modelPages";
import navigation from "../locales/es/navigation";
import payer from "../locales/es/payer";
import playground from "../locales/es/playground";
import prices from "../locales/es/prices";
import problems from "../locales/es/problems";
import promotions from "../locales/es/promotions";
import publicWords from "../locales/es/public";
import quality from "../locales/es/quality";
import reasons from "../locales/es/reasons";
import reconcile from "../locales/es/reconcile";
import rejections from "../locales/es/rejections";
import reports from "../locales/es/reports";
import requestLog from "../locales/es/requestLog";
import settings from "../locales/es/settings";
import shortage from "../locales/es/shortage";
import signIn from "../locales/es/signIn";
import statements from "../locales/es/statements";
import status from "../locales/es/status";
import ui from "../locales/es/ui";
import usage from "../locales/es/usage";
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
