/** What other areas may use of signing in. */
export { apiKeyActor, apiKeyQuery } from './identity.ts'
export { hashPassword } from './password.ts'
export { purgeSessions } from './purge.ts'
export { randomToken, sameText, tokenHash } from './secrets.ts'
export { startSession } from './sign-in.ts'
export { signOut } from './sign-out.ts'
