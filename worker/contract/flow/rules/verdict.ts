/** The result of a rule: allowed, or rejected with a reason for people. */
export type Verdict = { ok: true } | { ok: false; reason: string }

export const allowed: Verdict = { ok: true }

export function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
