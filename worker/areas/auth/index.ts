/** What other areas may import. */
export { hashPassword } from './password.ts'
export { purgeSessions } from './purge.ts'
export { startSession } from './sign-in.ts'
export { signOut } from './sign-out.ts'
