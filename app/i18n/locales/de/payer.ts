/** The payer, and the reason. */
export default {
  reason: {
    project: "Das Projekt hat ein eigenes Guthaben, das für seine Schlüssel zahlt.",
    exempt: "Von der Abrechnung befreit: Die Nutzung wird gezählt, und niemand zahlt.",
    sandbox: "Nicht berechnet: Die Sandbox ist kostenlos.",
    own: "Zahlt laut Einstellung aus dem eigenen Guthaben.",
    delegated: "Eine andere Person hat zugestimmt, dafür zu zahlen.",
    billingUser: "Die zahlende Person der Organisation zahlt für alle Mitglieder.",
    organisation: "Die Organisation hat keine zahlende Person, daher zahlt ihr eigenes Guthaben.",
  },
  delegated: {
    title: "Füreinander zahlen",
    about:
      "Eine andere Person kann für Ihre Nutzung zahlen oder Sie für deren Nutzung, sobald Sie beide zustimmen. Beide können das jederzeit beenden; bereits laufende Anfragen zahlt das Guthaben, mit dem sie begonnen haben.",
    email: "E-Mail-Adresse der anderen Person",
    hint: "Um für andere zu zahlen, brauchen Sie ein eigenes Guthaben.",
    request: "Um Übernahme bitten",
    offer: "Übernahme anbieten",
    accept: "Zustimmen",
    acceptAndPay: "Zustimmen und zahlen",
    decline: "Ablehnen",
    stop: "Beenden",
    cancel: "Anfrage zurückziehen",
    pays: {
      inForce: "Sie zahlen für {{name}}: Die Nutzung wird Ihrem Guthaben belastet, auch dessen Kredit.",
      asked: "Sie haben {{name}} angeboten zu zahlen. Es gibt noch keine Antwort.",
      question:
        "{{name}} bittet Sie, für die eigene Nutzung zu zahlen. Wenn Sie zustimmen, wird sie Ihrem Guthaben belastet, auch dessen Kredit, und Sie sehen, was die Anfragen kosten.",
    },
    paid: {
      inForce: "{{name}} zahlt für Ihre Nutzung und sieht, was Ihre Anfragen kosten.",
      asked: "Sie haben {{name}} gebeten, für Sie zu zahlen. Es gibt noch keine Antwort.",
      question:
        "{{name}} bietet an, für Ihre Nutzung zu zahlen. Wenn Sie zustimmen, sieht {{name}}, was Ihre Anfragen kosten.",
    },
    done: {
      asked: "Gesendet. Bis zur Zustimmung ändert sich nichts.",
      accepted: "Zugestimmt. Es gilt ab der nächsten Anfrage.",
      ended: "Beendet.",
    },
  },
};
