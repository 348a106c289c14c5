/** The exports of this area for other areas. */
export { checkOwnPassword, noteProof, providerOfSession } from './confirm.ts'
export { assertKeepsWayIn } from './last-way-in.ts'
export { noteSignIn } from './note-sign-in.ts'
export { newChallenge } from './passkeys/challenge.ts'
export { relyingParty } from './passkeys/relying-party.ts'
export { readNewPasskey } from './passkeys/verify.ts'
export { hashPassword } from './password.ts'
export { forgetProofs, forgetSecondStep } from './proofs.ts'
export { purgeSessions } from './purge.ts'
export { newRecoveryCodes, recoveryHash } from './second-step/recovery-codes.ts'
export { findStep, formatAddress, newSecret } from './second-step/totp.ts'
export { sessionUser } from './session-user.ts'
export {
  findMethods,
  isAnyAdminSpared,
  isOffered,
  isSparedBySecondStep,
  needsProvider,
  platformMethods,
  provenDomain,
} from './sign-in-methods.ts'
export { signOut } from './sign-out.ts'
export { startSession } from './start-session.ts'
