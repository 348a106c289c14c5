/** The answer of a rule that may refuse: a reason is a sentence for a person. */
export type Verdict = { ok: true } | { ok: false; reason: string }

export const allowed: Verdict = { ok: true }

export function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
