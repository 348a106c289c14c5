/** A product in enterprise mode with an identity provider, and what browsers do between the two. */
import { eq } from 'drizzle-orm'
import type { ListedProvider } from '#contract/organization/sso.ts'
import { identityProviders, organizationDomains, roles } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { type IdentityProvider, startIdentityProvider } from '../../../../e2e/support/identity-provider.ts'
import { consentAt } from '../../../../e2e/support/oauth-provider.ts'
import { userOf } from '../../../http/testing/people.ts'

const DATE = '2026-01-01T00:00:00.000Z'

export interface Scene {
  heddle: TestHeddle
  idp: IdentityProvider
  /** The organization's admin. */
  admin: TestClient
  organizationId: string
  workspaceId: string
  /** The id of the role Viewer. */
  viewer: string
  close(): Promise<void>
}

interface SceneOptions {
  dnsUrl?: string
  bindings?: Record<string, string>
  platformType?: string
  /** A private host that the product may reach besides the provider's. */
  host?: string
}

export async function startScene(options: SceneOptions = {}) {
  const idp = await startIdentityProvider()
  const heddle = await startTestHeddle({
    platformType: options.platformType ?? 'enterprise',
    allowPrivateHosts: [idp.host, idp.host.replace('127.0.0.1', 'localhost'), options.host].filter(Boolean).join(','),
    dnsUrl: options.dnsUrl,
    ...(options.bindings && { bindings: options.bindings }),
  })
  const admin = await heddle.signUp()
  const { activeOrganizationId: organizationId, activeWorkspaceId: workspaceId } = await userOf(admin)
  const found = await heddle.database.select().from(roles).where(eq(roles.organizationId, organizationId))
  const viewer = found.find(({ builtIn }) => builtIn === 'viewer')?.id ?? ''
  const scene: Scene = {
    ...{ heddle, idp, admin, organizationId, workspaceId, viewer },
    async close() {
      await heddle.close()
      await idp.close()
    },
  }
  return scene
}

/** Adds the provider, and what the provider must know of us. It is off, and not tested. */
export async function addProvider(
  { admin, idp }: Pick<Scene, 'admin' | 'idp'>,
  { path = '/sso-providers', ...more }: Record<string, unknown> & { path?: string } = {},
): Promise<ListedProvider> {
  const { body, status, text } = await call(admin, 'POST', path, {
    ...{ kind: 'oidc', name: 'Example', issuer: idp.url, ...idp.client },
    ...more,
  })
  if (status !== 200) throw new Error(`Adding a provider answered ${status}: ${text}`)
  idp.accept(body.redirectUri)
  return body
}

/** Adds the provider, switched on without a test. */
export async function openProvider(scene: Scene, more: Record<string, unknown> = {}): Promise<ListedProvider> {
  const provider = await addProvider(scene, more)
  await scene.heddle.database
    .update(identityProviders)
    .set({ isEnabled: true, testedDate: DATE })
    .where(eq(identityProviders.id, provider.id))
  return provider
}

export async function ownDomain({ heddle, organizationId }: Scene, domain: string): Promise<void> {
  const row = { id: crypto.randomUUID(), organizationId, domain, proof: 'p', provenDate: DATE, createdDate: DATE }
  await heddle.database.insert(organizationDomains).values(row)
}

/** Goes to the provider, allows everything there, and returns the address that the browser is sent back to. */
export async function visitProvider(browser: TestClient, id: string): Promise<URL> {
  const start = await browser.fetch(`/api/v1/sso/${id}/start`)
  const location = start.headers.get('location') ?? ''
  if (!URL.canParse(location)) throw new Error(`The start answered ${start.status} with ${location}`)
  return consentAt(location, isBack)
}

const isBack = (url: URL) => url.pathname.endsWith('/callback')

/** Follows the address back, and returns where it leads. */
export async function comeBack(browser: TestClient, back: URL): Promise<string> {
  const response = await browser.fetch(back.pathname + back.search)
  return response.headers.get('location') ?? `${response.status} ${await response.text()}`
}

export async function signIn(browser: TestClient, id: string): Promise<string> {
  return comeBack(browser, await visitProvider(browser, id))
}
