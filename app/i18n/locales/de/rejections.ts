export default {
  noLinkedAccount: "Dieses verknüpfte Konto gibt es nicht.",
  onlyWayToSignIn: "Legen Sie zuerst ein Passwort fest: Das ist Ihre einzige Anmeldemöglichkeit.",
  currentPassword: "Das ist nicht Ihr aktuelles Passwort.",
  paysForOthers_one:
    "Das Guthaben dieser Person bezahlt für {{count, number}} Person. Wählen Sie zuerst einen anderen Rechnungsempfänger der Organisation.",
  paysForOthers_other:
    "Das Guthaben dieser Person bezahlt für {{count, number}} Personen. Wählen Sie zuerst einen anderen Rechnungsempfänger der Organisation.",
  rolesBelowYours: "Sie können nur Rollen unterhalb Ihrer eigenen vergeben.",
  departmentFirst: "Ordnen Sie diese Person einer Abteilung zu, bevor Sie sie zu deren Admin machen.",
  typeEmailToConfirm: "Geben Sie zur Bestätigung die E-Mail-Adresse der Person ein.",
  inviteForAnother:
    "Diese Einladung gilt für eine andere E-Mail-Adresse. Melden Sie sich ab und öffnen Sie sie erneut.",
  runsInstallation: "Sie betreiben diese Installation. Jemand anderes muss zuerst Ihre Rolle ändern.",
  noDepartmentOfPerson: "Diese Abteilung gibt es in der Organisation dieser Person nicht.",
  adminNeedsDepartment: "Ein Abteilungs-Admin braucht eine Abteilung. Ändern Sie zuerst die Rolle.",
  noOrganisation: "Diese Organisation gibt es nicht.",
  lastOwner: "Das ist der letzte aktive Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.",
  noPerson: "Diese Person gibt es nicht.",
  roleDoesNotAllow: "Ihre Rolle erlaubt das nicht.",
  onlyBelowYours: "Sie können nur Personen ändern, deren Rolle unter Ihrer liegt.",
  notYourself: "Das geht nicht mit Ihrem eigenen Konto. Fragen Sie einen anderen Administrator.",
  accountDeleted: "Dieses Konto ist gelöscht. Nur sein Pseudonym ist geblieben.",
  noCall: "Es gibt keine Anfrage mit dieser ID.",
  notInReview: "Diese Anfrage wird nicht geprüft: Ihre Reservierung hat den Status {{state}}.",
  cannotSettle: "Die Anfrage kann nicht abgerechnet werden: {{problem}}.",
  noWallet: "Dieses Guthaben gibt es nicht.",
  keyRevoked: "Dieser Schlüssel ist widerrufen und lässt sich nicht ändern. Erstellen Sie einen neuen Schlüssel.",
  lastAdminKey:
    "Das ist der letzte nutzbare Admin-Schlüssel der Organisation. Erstellen Sie einen weiteren, bevor Sie diesen widerrufen.",
  keySuspended: "Dieser API-Schlüssel ist gesperrt. Aktivieren Sie ihn wieder oder verwenden Sie einen anderen.",
  noKey: "Diesen API-Schlüssel gibt es nicht.",
  adminKeyByAdmin: "Nur ein Organisations-Admin kann einen Admin-Schlüssel erstellen.",
  noProjectOfYours: "Dieses Projekt gibt es nicht, oder Sie sind kein Mitglied.",
  keysForYourself:
    "Sie können Schlüssel nur für sich selbst erstellen. Schlüssel für andere erstellen Sie in der Admin-Ansicht.",
  ownerOutranksYou: "Personen mit einer höheren Rolle als Ihrer müssen diesen Schlüssel selbst erstellen.",
  noDepartment: "Diese Abteilung gibt es nicht.",
  suspendedByAdmin: "Ein Admin hat diesen Schlüssel gesperrt. Nur ein Admin kann ihn wieder aktivieren.",
  viewersCreateNoKeys:
    "Ihre Rolle kann Schlüssel ansehen, aber nicht erstellen. Fragen Sie einen Admin Ihrer Organisation.",
  keyReadOnly: "Sie können diesen Schlüssel ansehen, aber nicht ändern. Fragen Sie einen Admin Ihrer Organisation.",
  limitsFixed:
    "Jemand anderes hat diesen Schlüssel erstellt und seine Limits festgelegt. Bitten Sie einen Admin Ihrer Organisation, sie zu ändern.",
  domainByOperator: "Die Portal-Domain verwaltet der Plattformbetreiber.",
  cannotJoinProject: "Niemand mit dieser Adresse kann zu diesem Projekt hinzugefügt werden.",
  projectNameTaken: "Ein Projekt mit diesem Namen gibt es bereits.",
  noProject: "Dieses Projekt gibt es nicht.",
  inviteNotUsable: "Diese Einladung ist nicht mehr gültig. Bitten Sie um eine neue.",
  mergeChoice: "Wählen Sie eine Organisation, die bleibt, und mindestens eine andere, die in ihr aufgeht.",
  ownerHasToStay: "Mindestens ein aktiver Inhaber muss bleiben.",
  billingUserTakesPart: "Der Rechnungsempfänger muss eine aktive Person aus einer der Organisationen sein.",
  noAdminToGiveRole: "Es gibt keinen solchen Inhaber oder Admin, dem Sie eine Rolle geben könnten.",
  mergeRolesBelowYours: "Sie können nur Personen mit einer Rolle unter Ihrer ändern, und nur auf Rollen unter Ihrer.",
  slugTaken: "Dieser Slug ist bereits vergeben.",
  domainTaken: "Diese Domain ist bereits vergeben.",
  organisationHasPeople_one:
    "Diese Organisation hat noch {{count, number}} Person. Verschieben oder löschen Sie sie zuerst, oder legen Sie die Organisation mit einer anderen zusammen.",
  organisationHasPeople_other:
    "Diese Organisation hat noch {{count, number}} Personen. Verschieben oder löschen Sie sie zuerst, oder legen Sie die Organisation mit einer anderen zusammen.",
  organisationResells:
    "Diese Organisation verkauft an andere weiter. Legen Sie sie stattdessen mit einer anderen zusammen.",
  organisationHasMoney:
    "Das Guthaben dieser Organisation ist nicht leer. Legen Sie sie stattdessen mit einer anderen zusammen, damit das Geld mitgeht.",
  departmentInUse:
    "In dieser Abteilung sind noch Personen ({{people, number}}), Schlüssel ({{keys, number}}) und Einladungen ({{invites, number}}). Verschieben Sie sie zuerst.",
  departmentNameTaken: "Eine Abteilung mit diesem Namen gibt es bereits.",
  inviteBelowYours: "Sie können nur für Rollen unterhalb Ihrer eigenen einladen.",
  noDepartmentHere: "Diese Abteilung gibt es in dieser Organisation nicht.",
  chooseDepartment: "Wählen Sie die Abteilung für den Abteilungs-Admin.",
  alreadyMember: "Diese Person gehört bereits zur Organisation.",
  noInvite: "Diese Einladung gibt es nicht.",
  inviteAccepted: "Diese Einladung wurde bereits angenommen.",
  adminOfNoDepartment: "Sie sind noch kein Admin einer Abteilung.",
  confirmFirst:
    "Bestätigen Sie zuerst, dass Sie es sind: Melden Sie sich erneut an oder senden Sie Ihr Passwort an /account/confirm.",
  accountSuspended: "Dieses Konto ist gesperrt. Wenden Sie sich an einen Administrator Ihrer Organisation.",
  accountClosed: "Dieses Konto wurde geschlossen.",
  noPortalHere: "Unter diesem Hostnamen gibt es kein Portal.",
  setupLinkEnded:
    "Dieser Einrichtungslink wurde verwendet oder ist abgelaufen. Starten Sie gw neu: Es gibt einen neuen Link aus, bis der Inhaber ein Passwort hat.",
  providerNotSetUp: "Diese Anmeldung ist nicht eingerichtet.",
  jobRunning: "Dieser Job läuft bereits oder startet gleich.",
  noJob: "Es gibt keinen Job mit diesem Namen.",
  noProcessor:
    "Kartenzahlungen sind in dieser Installation nicht eingerichtet. Wer sie betreibt, setzt STRIPE_SECRET_KEY und STRIPE_WEBHOOK_SECRET; bis dahin kann ein Administrator Guthaben von Hand gutschreiben.",
  processorAway:
    "Der Zahlungsdienstleister ist gerade nicht erreichbar. Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal.",
  fundsByAdmins: "Ihre Nutzung bezahlt Ihre Organisation oder jemand anderes. Bitten Sie dort um eine Aufladung.",
  noSuchPayer: "Diese Organisation, diese Person oder dieses Projekt gibt es nicht mehr.",
  noStatement: "Für diesen Monat gibt es keine Abrechnung.",
  noEntry: "Diese Buchung gibt es nicht.",
  noReview: "Diese Anfrage ist nicht in Klärung.",
  reviewResolved: "Über diese Reservierung ist schon entschieden.",
  noCheckpoint:
    "Über die Kosten dieser Anfrage ist nichts bekannt. Geben Sie einen Betrag ein, oder geben Sie sie frei.",
  promotionCode: "Dieser Code ist nicht gültig.",
  promotionHad: "Sie haben diesen Code bereits eingelöst.",
  promotionExempt: "Diesem Guthaben wird keine Nutzung berechnet, deshalb erhält es kein Aktionsguthaben.",
  promotionPast: "Wählen Sie ein Datum in der Zukunft.",
  noPromotion: "Diese Aktion gibt es nicht.",
  exemptWallet: "Dieses Guthabenkonto wird für Nutzung nicht belastet und braucht daher kein Guthaben.",
  unsignedEvent: "Diese Zustellung ist nicht vom Zahlungsdienstleister signiert.",
  directCreditRetired:
    "Guthaben lässt sich nicht direkt gutschreiben. Starten Sie eine Zahlung mit POST /api/billing/checkout.",
  cardFormRetired:
    "Karten werden auf der Seite des Zahlungsdienstleisters verwaltet. Verwenden Sie POST /api/billing/payment-methods/setup und /api/billing/payment-methods.",
  partnerRetired: "Partnerkonten lassen sich nicht verknüpfen. Es wurde nichts geändert.",
};
