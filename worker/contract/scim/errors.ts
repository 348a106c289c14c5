/** What SCIM calls its errors (RFC 7644, section 3.12). */
import { HeddleError } from '../errors.ts'

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'tooMany'
  | 'uniqueness'

/** A request that cannot be understood, or says something wrong. */
export const badScim = (scimType: ScimType, message: string): HeddleError =>
  new HeddleError('bad_request', message, { scimType })
