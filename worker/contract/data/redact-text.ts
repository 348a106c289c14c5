/** Hides what looks like a key or a password within a text. */
import { REDACTED } from './redact.ts'

/** A word that names a secret, and its value: `token: x`, `"apiKey":"x"`, `Bearer x`. */
const NAMED =
  /\b((?:api[-_ ]?key|access[-_ ]?token|token|secret|password|passwd|authorization)["']?(?: ?[=:] ?)["']?(?:Bearer )?|Bearer )[^\s"',;&)}\]]{1,300}/gi
/** Keys of well-known providers, and tokens of three parts. */
const KEYS = /\b(?:sk|pk|rk|gh[oprsu]|github_pat|glpat|xox[abeprs]|AKIA|AIza|hf|ya29)[-_.]?[\w-]{12,300}/g
const JWT = /\beyJ[\w-]{10,2000}\.[\w-]{1,2000}\.[\w-]{1,2000}/g

export const redactText = (text: string): string =>
  text.replace(JWT, REDACTED).replace(KEYS, REDACTED).replace(NAMED, `$1${REDACTED}`)
