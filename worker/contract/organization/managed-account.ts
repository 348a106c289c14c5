/** Whose word is enough to change an account. Pure. */

/** The ways to sign in to an account, and its organizations. */
export interface AccountParts {
  hasPassword: boolean
  hasPasskey: boolean
  /** The organizations, also those where the person is disabled. */
  memberOf: readonly string[]
  /** Whose providers the linked identities are of; null: the platform's, or nobody's any more. */
  identitiesOf: readonly (string | null)[]
}

/**
 * Returns true where an organization's identity provider may change the whole account: nothing else opens it, and it is
 * a member nowhere else.
 */
export function isManagedBy(
  organizationId: string,
  { hasPassword, hasPasskey, memberOf, identitiesOf }: AccountParts,
): boolean {
  if (hasPassword || hasPasskey || identitiesOf.length === 0) return false
  return [...memberOf, ...identitiesOf].every((owner) => owner === organizationId)
}

/** Explains why a session that an organization's provider opened adds no passkey, and what to do. */
export const PASSWORD_BEFORE_PASSKEY =
  'Choose a password first, with “Forgot password?” on the sign-in page. Then sign in with it to add a passkey.'
