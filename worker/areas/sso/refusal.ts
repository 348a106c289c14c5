import type { SsoRefusalReason } from '#contract/organization/sso.ts'

/** A sign-in with a provider that came to nothing. Its message is for the log; people read what the reason says. */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal'
  readonly reason: SsoRefusalReason

  constructor(reason: SsoRefusalReason, message: string = reason, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
