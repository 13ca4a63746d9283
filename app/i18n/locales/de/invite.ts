export default {
  title: "{{organisation}} beitreten",
  text: "{{invitedBy}} hat Sie zu {{organisation}} eingeladen.",
  textNobody: "Sie wurden zu {{organisation}} eingeladen.",
  role: "Ihre Rolle",
  department: "Abteilung",
  email: "Ihre E-Mail-Adresse",
  until: "Läuft ab: {{when}}.",
  name: "Ihr Name",
  password: "Passwort",
  passwordHint: "Mindestens 10 Zeichen. Mehrere Wörter merkt man sich leicht, und sie sind schwer zu erraten.",
  terms: "Ich stimme zu:",
  accept: "Konto anlegen und beitreten",
  join: "Als {{email}} beitreten",
  moving:
    "Sie gehören derzeit zu einer anderen Organisation. Ihre Schlüssel ziehen mit um und werden von {{organisation}} bezahlt. Ihre bisherigen Projekte verlassen Sie.",
  signIn: "Zum Beitreten anmelden",
  known: "Sie haben bereits ein Konto?",
  wrong: "Sie sind als {{email}} angemeldet. Diese Einladung ist für {{invited}}.",
  signOut: "Abmelden",
  ended: {
    accepted: "Diese Einladung wurde angenommen",
    acceptedText: "Wenn Sie das waren, melden Sie sich an.",
    revoked: "Diese Einladung wurde widerrufen",
    revokedText:
      "Sehen Sie in Ihrem Posteingang nach einer neueren, oder fragen Sie die Person, die Sie eingeladen hat.",
    expired: "Diese Einladung ist abgelaufen",
    expiredText: "Einladungen laufen nach 7 Tagen ab. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.",
    unknown: "Einladung nicht gefunden",
    unknownText:
      "Der Link ist vielleicht unvollständig. Kopieren Sie ihn vollständig aus der E-Mail, oder bitten Sie um einen neuen.",
  },
  welcome: "Willkommen bei {{organisation}}.",
};
