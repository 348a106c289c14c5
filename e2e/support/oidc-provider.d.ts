/** What the tests use of `oidc-provider`, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Interaction {
    uid: string
    prompt: { name: string; details: { missingOIDCScope?: string[] } }
    params: Record<string, string | undefined>
    grantId?: string
    session?: { accountId: string }
  }
  interface Grant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    proxy: boolean
    Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    AccessToken: {
      find(token: string): Promise<{ aud?: string | string[]; isValid: boolean } | undefined>
    }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: string, listener: () => void): void
  }
}
