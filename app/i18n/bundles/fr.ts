import activity from "../locales/fr/activity";
import admin from "../locales/fr/admin";
import adminModels from "../locales/fr/adminModels";
import autorouter from "../locales/fr/autorouter";
import autoTopup from "../locales/fr/autoTopup";
import batches from "../locales/fr/batches";
import billing from "../locales/fr/billing";
import budgets from "../locales/fr/budgets";
import budgetTree from "../locales/fr/budgetTree";
import conversations from "../locales/fr/conversations";
import credit from "../locales/fr/credit";
import dashboard from "../locales/fr/dashboard";
import dryRun from "../locales/fr/dryRun";
import getStarted from "../locales/fr/getStarted";
import guardrails from "../locales/fr/guardrails";
import guide from "../locales/fr/guide";
import invite from "../locales/fr/invite";
import jobs from "../locales/fr/jobs";
import keys from "../locales/fr/keys";
import mail from "../locales/fr/mail";
import modelPages from "../locales/fr/modelPages";
import navigation from "../locales/fr/navigation";
import payer from "../locales/fr/payer";
import playground from "../locales/fr/playground";
import prices from "../locales/fr/prices";
import problems from "../locales/fr/problems";
import promotions from "../locales/fr/promotions";
import publicWords from "../locales/fr/public";
import quality from "../locales/fr/quality";
import reasons from "../locales/fr/reasons";
import reconcile from "../locales/fr/reconcile";
import rejections from "../locales/fr/rejections";
import reports from "../locales/fr/reports";
import requestLog from "../locales/fr/requestLog";
import settings from "../locales/fr/settings";
import shortage from "../locales/fr/shortage";
import signIn from "../locales/fr/signIn";
import statements from "../locales/fr/statements";
import status from "../locales/fr/status";
import ui from "../locales/fr/ui";
import usage from "../locales/fr/usage";
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
