import activity from "../locales/de/activity";
import admin from "../locales/de/admin";
import adminModels from "../locales/de/adminModels";
import autorouter from "../locales/de/autorouter";
import autoTopup from "../locales/de/autoTopup";
import batches from "../locales/de/batches";
import billing from "../locales/de/billing";
import budgets from "../locales/de/budgets";
import budgetTree from "../locales/de/budgetTree";
import conversations from "../locales/de/conversations";
import credit from "../locales/de/credit";
import dashboard from "../locales/de/dashboard";
import dryRun from "../locales/de/dryRun";
import getStarted from "../locales/de/getStarted";
import guardrails from "../locales/de/guardrails";
import guide from "../locales/de/guide";
import invite from "../locales/de/invite";
import jobs from "../locales/de/jobs";
import keys from "../locales/de/keys";
import mail from "../locales/de/mail";
import modelPages from "../locales/de/modelPages";
import navigation from "../locales/de/navigation";
import payer from "../locales/de/payer";
import playground from "../locales/de/playground";
import prices from "../locales/de/prices";
import problems from "../locales/de/problems";
import promotions from "../locales/de/promotions";
import publicWords from "../locales/de/public";
import quality from "../locales/de/quality";
import reasons from "../locales/de/reasons";
import reconcile from "../locales/de/reconcile";
import rejections from "../locales/de/rejections";
import reports from "../locales/de/reports";
import requestLog from "../locales/de/requestLog";
import settings from "../locales/de/settings";
import shortage from "../locales/de/shortage";
import signIn from "../locales/de/signIn";
import statements from "../locales/de/statements";
import status from "../locales/de/status";
import ui from "../locales/de/ui";
import usage from "../locales/de/usage";
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
