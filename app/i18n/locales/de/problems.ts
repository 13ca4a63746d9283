export default {
  enterEmail: "Geben Sie eine E-Mail-Adresse ein.",
  emailTooLong: "Diese E-Mail-Adresse ist zu lang.",
  emailMalformed: "Das sieht nicht nach einer E-Mail-Adresse aus. Prüfen Sie sie auf Tippfehler.",
  enterName: "Geben Sie Ihren Namen ein.",
  enterAName: "Geben Sie einen Namen ein.",
  at60: "Höchstens 60 Zeichen.",
  at80: "Höchstens 80 Zeichen.",
  at120: "Höchstens 120 Zeichen.",
  at500: "Höchstens 500 Zeichen.",
  nameUnshowable: "Dieser Name enthält Zeichen, die sich nicht darstellen lassen.",
  textUnshowable: "Dies enthält Zeichen, die sich nicht darstellen lassen.",
  passwordShort: "Mindestens 10 Zeichen.",
  passwordLong: "Dieses Passwort ist zu lang.",
  passwordMonotonous: "Verwenden Sie mehr verschiedene Zeichen, zum Beispiel mehrere Wörter.",
  passwordCommon: "Dieses Passwort benutzen zu viele. Nehmen Sie mehrere Wörter, die nicht zusammengehören.",
  notYourPassword: "Das ist nicht Ihr Passwort.",
  passwordHasEmail: "Das Passwort darf die E-Mail-Adresse nicht enthalten.",
  enterPassword: "Geben Sie Ihr Passwort ein.",
  fillIn: "Füllen Sie dieses Feld aus.",
  acceptTerms: "Stimmen Sie den Bedingungen zu, um fortzufahren.",
  emailNotVerified:
    "Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link in der Nachricht, die wir gesendet haben, oder lassen Sie sie noch einmal senden.",
  invalidCredentials:
    "Die E-Mail-Adresse oder das Passwort stimmt nicht. Prüfen Sie beides, oder setzen Sie das Passwort zurück.",
  ssoOnly:
    "Ihre Organisation meldet sich über ihren eigenen Anmeldedienst an. Benutzen Sie dessen Schaltfläche statt eines Passworts.",
  noReseller: "Zu dieser Adresse gehört kein Wiederverkäufer. Prüfen Sie die Adresse des Portals.",
  weakPassword:
    "Dieses Passwort ist zu leicht zu erraten. Nehmen Sie mindestens zehn Zeichen, zum Beispiel mehrere Wörter.",
  emailTaken:
    "Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich an, oder nehmen Sie eine andere Adresse.",
  invalidToken: "Dieser Link oder dieses Token gilt nicht mehr. Fordern Sie einen neuen an.",
  authContextDenied:
    "Diese Anmeldung darf hier nicht benutzt werden. Melden Sie sich auf der Seite oder in der Anwendung, in der Sie arbeiten, neu an.",
  conflict: "Jemand anders hat dies inzwischen geändert. Laden Sie es neu, und nehmen Sie Ihre Änderung dann vor.",
  forbidden: "Das dürfen Sie nicht. Bitten Sie einen Administrator Ihrer Organisation um Zugang.",
  notFound: "Unter dieser Adresse gibt es nichts. Prüfen Sie den Pfad und die Kennung.",
  accountStatus: "Dieses Konto ist gesperrt oder archiviert. Bitten Sie Ihren Administrator, es wieder zu aktivieren.",
  internalError:
    "Bei uns ist etwas schiefgegangen. Versuchen Sie es noch einmal; geschieht es wieder, nennen Sie dem Support die Kennung der Anfrage.",
  serviceUnavailable:
    "Der Dienst ist im Moment nicht verfügbar. Warten Sie so lange wie angegeben, und versuchen Sie es dann wieder.",
  tooManyAttempts: "Zu viele Versuche. Warten Sie ein wenig, bevor Sie es wieder versuchen.",
  tooManyAttemptsMailed:
    "Zu viele Versuche. Wenn das Passwort richtig war, haben wir Ihnen einen Link gemailt, mit dem Sie die Anmeldung abschließen.",
  signInLinkEnded:
    "Dieser Link wurde benutzt, ist abgelaufen oder gehört zu einem anderen Browser. Melden Sie sich noch einmal an.",
  providerProvesNothing:
    "Der Identitätsanbieter hat nicht bestätigt, dass Sie sich eben neu angemeldet haben; das beweist also nichts. Versuchen Sie es noch einmal.",
  crowd: "In diesem Moment melden sich zu viele an. Versuchen Sie es in ein paar Sekunden wieder.",
  signUpPassword: "Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben.",
  linkEnded: "Dieser Link wurde benutzt oder ist abgelaufen. Fordern Sie einen neuen an.",
  confirmationEnded:
    "Dieser Link wurde benutzt oder ist abgelaufen. Lassen Sie sich einen neuen senden, oder melden Sie sich an, wenn Ihr Konto bereit ist.",
  byInvitation: "Neue Konten gibt es hier auf Einladung. Bitten Sie einen Administrator, Sie einzuladen.",
  takenProveFirst:
    "Es gibt bereits ein Konto mit dieser Adresse. Melden Sie sich dort einmal an, dann wird diese Anmeldung damit verknüpft.",
  acceptFirst: "Noch ein Schritt: Stimmen Sie den Bedingungen zu, dann wird Ihr Konto eröffnet.",
  providerRefused:
    "Der Anmeldedienst hat Sie nicht angemeldet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.",
  providerAnswer: "Die Antwort des Anmeldedienstes konnte nicht angenommen werden. Beginnen Sie noch einmal.",
  providerAway:
    "Der Anmeldedienst ist im Moment nicht erreichbar. Versuchen Sie es bald wieder, oder melden Sie sich anders an.",
  providerNoEmail:
    "Der Anmeldedienst hat Ihre E-Mail-Adresse nicht mitgeteilt. Erlauben Sie es dort, oder melden Sie sich anders an.",
  providerUnconfirmed:
    "Der Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, und versuchen Sie es noch einmal.",
  notBegunHere: "Diese Anmeldung wurde nicht hier begonnen. Beginnen Sie noch einmal.",
  otherPortal: "Dieses Konto gehört nicht zu diesem Portal. Melden Sie sich dort an, wo es eröffnet wurde.",
  linkedElsewhere: "Diese Anmeldung gehört bereits zu einem anderen Konto.",
  creditCeiling:
    "Hier höchstens {{amount}} $: So viel lässt die Kreditobergrenze Ihrer Organisation zu. Bitten Sie die Betreiber dieser Installation, sie anzuheben.",
  payerExempt:
    "Diese Person ist von der Abrechnung befreit, also würde niemand zahlen. Wenden Sie sich an die Betreiber dieser Installation.",
  nobodyAsks: "Niemand bittet Sie, für Ihre Organisation zu zahlen.",
  doNotPay: "Sie zahlen nicht für Ihre Organisation.",
  noActivePerson: "In dieser Organisation gibt es keine solche aktive Person.",
  creditUsed:
    "Ihr Guthaben hat Kredit Ihrer Organisation verbraucht. Laden Sie es zuerst auf, oder bitten Sie die Betreiber dieser Installation um den Wechsel.",
  inviteCannotOpen:
    "Diese Einladung kann kein neues Konto eröffnen. Wenn Sie schon ein Konto haben, melden Sie sich an, um sie anzunehmen.",
  invitedByHigher:
    "Jemand mit höherem Rang hat diese Adresse schon eingeladen. Bitten Sie darum, jene Einladung zuerst zurückzuziehen.",
  inviteEnded: "Diese Einladung ist beendet. Laden Sie die Adresse erneut ein.",
};
