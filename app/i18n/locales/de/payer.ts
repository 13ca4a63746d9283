/** Wer zahlt und warum. */
export default {
  reason: {
    project: "Das Projekt hat ein eigenes Guthaben, das für seine Schlüssel zahlt.",
    exempt: "Von der Abrechnung befreit: Die Nutzung wird gezählt, und niemand zahlt.",
    own: "Zahlt laut Einstellung aus dem eigenen Guthaben.",
    billingUser: "Die zahlende Person der Organisation zahlt für alle Mitglieder.",
    organisation: "Die Organisation hat keine zahlende Person, daher zahlt ihr eigenes Guthaben.",
  },
};
