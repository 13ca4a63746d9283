export default {
  greeting: "Hello {{name}},",
  greetingPlain: "Hello,",
  otherwise: "If the button doesn’t work, open this link:",
  ignore: "If this wasn’t you, you can ignore this email.",
  ignoreSignUp: "If you didn’t sign up, you can ignore this email. No account is created without this confirmation.",
  ignoreReset: "If you didn’t request this, you can ignore this email. Your password stays the same.",
  ignoreInvite: "If you don’t know the sender, you can ignore this email.",
  validMinutes_one: "The link works once, for one minute.",
  validMinutes_other: "The link works once, for {{count, number}} minutes.",
  validHours_one: "The link works once, for one hour.",
  validHours_other: "The link works once, for {{count, number}} hours.",
  validDays_one: "The link works once, for one day.",
  validDays_other: "The link works once, for {{count, number}} days.",
  verify: {
    subject: "Confirm your email address for {{brand}}",
    text: "You signed up to {{brand}} as {{email}}. Confirm your email address to activate your account.",
    action: "Confirm email address",
  },
  exists: {
    subject: "You already have a {{brand}} account",
    text: "Someone, probably you, tried to sign up to {{brand}} with this address. You already have an account, so sign in instead.",
    forgotten: "Forgot your password? You can reset it on the sign-in page.",
    action: "Sign in",
  },
  reset: {
    subject: "Reset your {{brand}} password",
    text: "You asked to reset your {{brand}} password. Use this link to choose a new one. All browsers will be signed out.",
    action: "Choose a new password",
  },
  provider: {
    subject: "How you sign in to {{brand}}",
    text: "You asked to reset your {{brand}} password, but your account has none. You sign in with {{provider}}.",
    action: "Go to sign in",
  },
  invite: {
    subject: "Join {{organisation}} on {{brand}}",
    text: "{{invitedBy}} invited you to join {{organisation}} on {{brand}}.",
    role: "Your role: {{role}}.",
    action: "View invitation",
  },
  newSignIn: {
    subject: "New sign-in to your {{brand}} account",
    text: "Someone signed in to your {{brand}} account from a new browser.",
    facts: "{{at}}, from {{address}}, {{browser}}",
    advice:
      "If this was you, you can ignore this email. If not, choose a new password now: that signs out every browser.",
    action: "Choose a new password",
  },
  passwordChanged: {
    subject: "Your {{brand}} password was changed",
    text: "The password of your {{brand}} account was changed. All other browsers were signed out.",
    advice: "If this wasn’t you, choose a new password now.",
    action: "Choose a new password",
  },
  webhookDisabled: {
    subject: "Your alert webhook was turned off",
    text: "It failed 20 times in a row, so alerts are no longer sent to it. Alerts by email go on. Save the webhook again to turn it back on.",
  },
  autoTopupDeclined: {
    subject: "Auto top-up failed: {{payer}}",
    text: "We couldn’t charge {{amount, usd}} to your card {{card}} to top up the wallet of “{{payer}}”. Reason: {{reason}}",
    next: "The next attempt is on {{at}} at the earliest. To keep requests going, add funds or use another card.",
    cardRefused:
      "Your card won’t be charged automatically again. To keep auto top-up running, make another card the default.",
    action: "Open billing",
    why: "You get this email because auto top-up charges your card.",
  },
  autoTopupPaused: {
    subject: "Auto top-up paused: {{payer}}",
    refund: "A payment of {{amount, usd}} was refunded, so auto top-up for the wallet of “{{payer}}” is paused.",
    dispute:
      "A payment of {{amount, usd}} was disputed with the bank, so auto top-up for the wallet of “{{payer}}” is paused.",
    inquiry: "A bank asked about a payment of {{amount, usd}}, so auto top-up for the wallet of “{{payer}}” is paused.",
    fraud_warning:
      "A bank reported a payment of {{amount, usd}} as possible fraud, so auto top-up for the wallet of “{{payer}}” is paused.",
    next: "Your card won’t be charged automatically until you agree again. Requests keep running while there are funds.",
    action: "Review auto top-up",
  },
  paymentProblems: {
    subject: "Payments need your attention",
    connection_one: "The connection to the payment processor has {{count, number}} problem.",
    connection_other: "The connection to the payment processor has {{count, number}} problems.",
    events_one: "{{count, number}} payment event could not be applied.",
    events_other: "{{count, number}} payment events could not be applied.",
    mismatches_one: "{{count, number}} payment was credited with a different amount than requested.",
    mismatches_other: "{{count, number}} payments were credited with a different amount than requested.",
    pauses_one: "{{count, number}} auto top-up was paused because a payment was refunded or disputed.",
    pauses_other: "{{count, number}} auto top-ups were paused because a payment was refunded or disputed.",
    action: "Open billing administration",
    why: "You get this email because you administer this platform.",
  },
  autoTopupConfirm: {
    subject: "Confirm a payment: {{payer}}",
    text: "Your bank wants you to confirm a payment of {{amount, usd}} that tops up the wallet of “{{payer}}”. Nothing has been charged.",
    until: "The page is open for 24 hours. If you don’t confirm, nothing is charged, and we try again later.",
    action: "Confirm payment",
  },
  reportReady: {
    subject: "Report ready: {{report}}",
    text_one: "Your scheduled report “{{report}}” is ready. It has one row, and the file is kept for 7 days.",
    text_other:
      "Your scheduled report “{{report}}” is ready. It has {{count, number}} rows, and the file is kept for 7 days.",
    action: "Download report",
    why: "You get this email because you scheduled this report. You can disable the schedule under Reports.",
  },
  reportFailed: {
    subject: "Report not sent: {{report}}",
    text: "Your scheduled report “{{report}}” could not be prepared. If your role, department or organisation has changed, its schedule is disabled; you can set it up again.",
    action: "View schedules",
  },
  budgetAlert: {
    threshold: {
      subject: "Budget alert: {{name}} has spent {{share, number}}%",
      text: "{{scope}} “{{name}}” has spent {{share, number}}% or more of its budget.",
    },
    low_balance: {
      subject: "Low balance: {{name}}",
      text: "The wallet of “{{name}}” is at or below {{threshold, usd}}. Add funds to keep requests going.",
    },
    refusing: {
      subject: "Out of budget: {{name}}",
      text: "{{scope}} “{{name}}” is out of budget, so requests are rejected. Raise the limit, or wait until it resets.",
    },
    accepting: {
      subject: "Back in budget: {{name}}",
      text: "{{scope}} “{{name}}” has budget again. Requests are accepted.",
    },
    wallet_refusing: {
      subject: "Out of funds: {{name}}",
      text: "The wallet of “{{name}}” can’t cover requests any more, so they are rejected. Add funds to keep requests going.",
    },
    wallet_accepting: {
      subject: "Funds again: {{name}}",
      text: "The wallet of “{{name}}” has funds again. Requests are accepted.",
    },
    amounts: "Spent {{spent, usd}}, held {{held, usd}}, available {{available, usd}} of {{limit, usd}}.",
    balance: "Available: {{available, usd}}, with {{held, usd}} held for running requests.",
    runsOut: "At this rate, it runs out on {{at}}.",
    resets: "It resets on {{at}}.",
    action: "View alerts",
    why: "You get this email because budget alerts are on.",
  },
  topupLimit: {
    subject: "Auto top-up limit reached: {{payer}}",
    day: "The wallet of “{{payer}}” is below its threshold, but topping it up by {{amount, usd}} would exceed its daily limit. Your card has not been charged. Auto top-up goes on at midnight UTC.",
    month:
      "The wallet of “{{payer}}” is below its threshold, but topping it up by {{amount, usd}} would exceed its monthly limit. Your card has not been charged. Auto top-up goes on when the next month begins (UTC).",
    advice: "To keep requests going, add funds or raise the limit.",
  },
  cardExpires: {
    subject: "Your card {{card}} is expiring",
    text: "Your saved card {{card}} can be used until the end of {{month}}.",
    advice: "Save another card so that payments and auto top-up keep working.",
  },
  paidFor: {
    subject: "Your wallet has paid for {{person}} this month",
    text: "This month, requests of {{person}} have been charged to your wallet, because you agreed to pay for them. The month’s statement shows how much.",
  },
  payerRequest: {
    subject: "{{asker}} asks you to pay for their usage",
    text: "{{asker}} asks you to pay for what they use.",
    meaning:
      "If you accept, it is charged to your own wallet, including its credit. You can decline, and you can stop at any time.",
  },
  payerOffer: {
    subject: "{{asker}} offers to pay for your usage",
    text: "{{asker}} offers to pay for what you use.",
    meaning:
      "If you accept, your requests are charged to the wallet of {{asker}}, who can see what they cost. Either of you can end it at any time.",
  },
  payerAccepted: {
    subject: "You now pay for {{person}}",
    text: "From now on, what {{person}} uses is charged to your wallet, including its credit.",
    stop: "You can stop at any time on the billing page. Requests that are already running are still charged to you.",
    action: "Open billing",
  },
  payerEnded: {
    subject: "{{person}} no longer pays for you",
    subjectPayer: "You no longer pay for {{person}}",
    why: "Your agreement with {{person}} has ended by itself: one of you has left the organisation, or an account was closed.",
    meaning:
      "What you use is charged to your own wallet again, or to whoever pays for your organisation. Check that there are funds.",
    meaningPayer: "Requests that are already running are still charged to you.",
  },
  payerNomination: {
    subject: "Will you pay for {{organisation}}?",
    text: "{{asker}} asks you to pay for everyone in {{organisation}}.",
    meaning:
      "If you accept, everything people there use is charged to your own wallet, including its credit. You can decline, and you can stop at any time.",
    action: "Review the request",
    until: "Nothing changes until you accept.",
  },
  signInLink: {
    subject: "Finish signing in to {{brand}}",
    text: "Someone entered the right password for your {{brand}} account after too many attempts. If it was you, use this link to finish signing in. It works only in the browser you tried to sign in with.",
    action: "Finish signing in",
    advice: "If this was not you, someone knows your password. Choose a new one now: {{url}}",
  },
  passwordSet: {
    subject: "A password was added to your {{brand}} account",
    text: "Your {{brand}} account now has a password. You can sign in with it or with your identity provider. All other browsers were signed out.",
  },
  linked: {
    subject: "{{provider}} can now sign in to your {{brand}} account",
    text: "You can now sign in to {{brand}} with {{provider}} as {{identity}}.",
    advice: "If this wasn’t you, unlink it in Settings and choose a new password now.",
    action: "Open settings",
  },
  role: {
    subject: "Your role on {{brand}} has changed",
    text: "{{by}} changed your role on {{brand}} from {{before}} to {{after}}. You were signed out; sign in again to continue.",
    advice: "If you didn’t expect this, ask an admin of your organisation.",
    action: "Sign in",
  },
  granted: {
    subject: "New {{role}} on {{brand}}",
    text: "{{by}} gave {{person}} the role {{role}}.",
    invited: "{{by}} invited {{person}} with the role {{role}}.",
    advice: "If you didn’t expect this, ask who did it, and remove the role or revoke the invitation.",
    action: "Open people",
  },
  adminKey: {
    subject: "New admin key in {{organisation}}",
    text: "{{by}} created the admin key “{{key}}” in {{organisation}}. It can create and change every key in the organisation.",
    rotated:
      "{{by}} rotated the secret of the admin key “{{key}}” in {{organisation}}. It can create and change every key in the organisation.",
    advice: "If this wasn’t you or a colleague, revoke the key and ask {{by}} to choose a new password.",
    action: "View key",
  },
};
