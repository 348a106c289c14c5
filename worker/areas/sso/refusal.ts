import type { SsoRefusalReason } from '#contract/organization/sso.ts'

/** A sign-in with a provider that came to nothing. Its message is for the log; people read what the reason says. */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal'
  readonly reason: SsoRefusalReason
  /** Whose account it was for, where the provider has proven it. */
  readonly userId: string | null

  constructor(
    reason: SsoRefusalReason,
    message: string = reason,
    { userId = null, ...options }: ErrorOptions & { userId?: string | null } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.userId = userId
  }
}
