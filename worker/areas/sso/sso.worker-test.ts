import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { userOf } from '../../http/testing/people.ts'
import { openProvider, ownDomain, type Scene, signIn, startScene } from './testing/scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await startScene()
})
afterEach(() => scene.close())

const defaultRole = () => ({ workspaceId: scene.workspaceId, roleId: scene.viewer })

describe('signing in with an identity provider', () => {
  it('creates the person with the default role, and finds them again by issuer and subject', async () => {
    await ownDomain(scene, 'example.com')
    const { id } = await openProvider(scene, { defaultRole: defaultRole() })
    scene.idp.person = { sub: 'bob', email: 'bob@example.com', email_verified: true, name: 'Bob' }
    const browser = scene.heddle.newClient()
    expect(await signIn(browser, id)).toBe('/sso-success')
    const bob = await userOf(browser)
    expect(bob).toMatchObject({ email: 'bob@example.com', name: 'Bob', isSSO: true, role: 'Viewer' })
    scene.idp.person = { sub: 'bob', email: 'robert@example.com', email_verified: true, name: 'Robert' }
    const later = scene.heddle.newClient()
    expect(await signIn(later, id)).toBe('/sso-success')
    expect((await userOf(later)).id).toBe(bob.id)
  })
})
