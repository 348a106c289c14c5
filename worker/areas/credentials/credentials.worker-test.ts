import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import { credentials } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

const secret = 'sk-very-secret-1234567890'
const openAI = { name: 'My OpenAI', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: secret } }
const basic = {
  name: 'Basic',
  credentialName: 'httpBasicAuth',
  plainDataObj: { basicAuthUsername: 'ann', basicAuthPassword: secret },
}
const rowOf = async (id: string) => (await heddle.database.select().from(credentials).where(eq(credentials.id, id)))[0]

describe('a credential', () => {
  it('creates, lists, masks, updates and deletes a credential', async () => {
    const made = await call(ann, 'POST', '/credentials', basic)
    expect(made.status).toBe(200)
    expect(Object.keys(made.body).sort()).toEqual(
      ['createdDate', 'credentialName', 'hosts', 'id', 'lastUsedDate', 'name', 'updatedDate', 'workspaceId'].sort(),
    )
    const { id } = made.body
    const listed = { ...made.body, usageCount: 0 }
    expect((await call(ann, 'GET', '/credentials?credentialName=httpBasicAuth')).body).toEqual([listed])
    expect((await call(ann, 'GET', `/credentials/${id}`)).body).toEqual({
      ...made.body,
      plainDataObj: { basicAuthUsername: 'ann', basicAuthPassword: BLANK_SECRET },
    })
    const changed = await call(ann, 'PUT', `/credentials/${id}`, {
      name: 'Renamed',
      plainDataObj: { basicAuthUsername: 'eve' },
    })
    expect(changed.body).toMatchObject({ id, name: 'Renamed', credentialName: 'httpBasicAuth' })
    expect((await call(ann, 'GET', `/credentials/${id}`)).body.plainDataObj.basicAuthUsername).toBe('eve')
    expect((await call(ann, 'DELETE', `/credentials/${id}`)).body).toEqual({ raw: [], affected: 1 })
    expect((await call(ann, 'GET', `/credentials/${id}`)).status).toBe(404)
  })

  it('filters credentials by one or more types', async () => {
    const [one, two] = [await call(ann, 'POST', '/credentials', openAI), await call(ann, 'POST', '/credentials', basic)]
    const idsOf = async (query: string) =>
      (await call(ann, 'GET', `/credentials${query}`)).body.map(({ id }: { id: string }) => id)
    expect(await idsOf('?credentialName=openAIApi')).toEqual([one.body.id])
    expect((await idsOf('?credentialName=openAIApi&credentialName=httpBasicAuth')).sort()).toEqual(
      [one.body.id, two.body.id].sort(),
    )
    expect(await idsOf('')).toHaveLength(2)
    expect(await idsOf('?credentialName=groqApi')).toEqual([])
  })

  it('never exposes a secret in a response or in the database', async () => {
    const made = await call(ann, 'POST', '/credentials', openAI)
    const { id } = made.body
    const answers = [
      made,
      await call(ann, 'GET', '/credentials'),
      await call(ann, 'GET', `/credentials/${id}`),
      await call(ann, 'PUT', `/credentials/${id}`, { name: 'x' }),
      await call(ann, 'PUT', `/credentials/${id}`, { plainDataObj: { nonsense: 'x' } }),
      await call(ann, 'DELETE', `/credentials/${id}`),
    ]
    for (const { text } of answers) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('encryptedData')
    }
    const kept = await call(ann, 'POST', '/credentials', openAI)
    const row = await rowOf(kept.body.id)
    expect(row?.encryptedData).toMatch(/^v1\./)
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  it('has no endpoint that reveals a secret', async () => {
    const made = await call(ann, 'POST', '/credentials', openAI)
    expect((await call(ann, 'GET', `/credentials/${made.body.id}/reveal`)).status).toBe(404)
  })

  it('keeps a blanked secret and removes an emptied field', async () => {
    const made = await call(ann, 'POST', '/credentials', basic)
    const path = `/credentials/${made.body.id}`
    const echoed = { plainDataObj: { basicAuthUsername: 'new', basicAuthPassword: BLANK_SECRET } }
    expect((await call(ann, 'PUT', path, echoed)).status).toBe(200)
    expect((await call(ann, 'GET', path)).body.plainDataObj).toEqual({
      basicAuthUsername: 'new',
      basicAuthPassword: BLANK_SECRET,
    })
    const emptied = await call(ann, 'PUT', path, { plainDataObj: { basicAuthPassword: '' } })
    expect(emptied).toMatchObject({ status: 400, body: { field: 'plainDataObj.basicAuthPassword' } })
  })
})

describe('bad input', () => {
  it.each([
    [{ ...openAI, name: ' ' }, 'name'],
    [{ ...openAI, name: undefined }, 'name'],
    [{ ...openAI, credentialName: 'nope' }, 'credentialName'],
    [{ ...openAI, credentialName: 'toString' }, 'credentialName'],
    [{ ...openAI, plainDataObj: undefined }, 'plainDataObj'],
    [{ ...openAI, plainDataObj: {} }, 'plainDataObj.openAIApiKey'],
    [{ ...openAI, plainDataObj: { openAIApiKey: '  ' } }, 'plainDataObj.openAIApiKey'],
    [{ ...openAI, plainDataObj: { openAIApiKey: BLANK_SECRET } }, 'plainDataObj.openAIApiKey'],
    [{ ...openAI, plainDataObj: { openAIApiKey: 5 } }, 'plainDataObj.openAIApiKey'],
    [{ ...openAI, plainDataObj: { openAIApiKey: 'k', other: 'x' } }, 'plainDataObj.other'],
  ])('returns 400 with the field and changes nothing for %j', async (bad, field) => {
    const before = (await call(ann, 'GET', '/credentials')).body
    expect(await call(ann, 'POST', '/credentials', bad)).toMatchObject({ status: 400, body: { field } })
    expect((await call(ann, 'GET', '/credentials')).body).toEqual(before)
  })

  it.each([
    '../../etc/passwd',
    'a/b%00?c#d',
    'שלום \u202eabc',
    '👩‍👩‍👧 key',
    '<img src=x onerror=alert(1)>',
    '__proto__',
  ])('keeps the name %j as it is', async (name) => {
    const made = await call(ann, 'POST', '/credentials', { ...openAI, name })
    expect(made.body.name).toBe(name)
    expect((await call(ann, 'GET', `/credentials/${made.body.id}`)).body.name).toBe(name)
  })

  it.each([
    [{ ...openAI, name: 'n'.repeat(201) }, 400],
    [{ ...openAI, plainDataObj: { openAIApiKey: 'k'.repeat(20_001) } }, 400],
    [{ ...openAI, name: 'n'.repeat(10_000_000) }, 413],
  ])('bounds what a credential holds', async (bad, status) => {
    expect((await call(ann, 'POST', '/credentials', bad)).status).toBe(status)
  })

  it.each(['..%2F..%2Fetc', '%00', '%F0%9F%94%91', 'a'.repeat(101)])('finds nothing under the id %s', async (id) => {
    for (const method of ['GET', 'DELETE'])
      expect([400, 404]).toContain((await call(ann, method, `/credentials/${id}`)).status)
    expect([400, 404]).toContain((await call(ann, 'POST', `/oauth2-credential/authorize/${id}`)).status)
  })

  it('refuses to change the type of a credential', async () => {
    const made = await call(ann, 'POST', '/credentials', openAI)
    const before = await rowOf(made.body.id)
    const answer = await call(ann, 'PUT', `/credentials/${made.body.id}`, { credentialName: 'groqApi' })
    expect(answer).toMatchObject({ status: 400, body: { field: 'credentialName' } })
    expect(await rowOf(made.body.id)).toEqual(before)
  })
})

describe('another workspace', () => {
  it('cannot see or change a credential of another workspace', async () => {
    const made = await call(ann, 'POST', '/credentials', {
      ...openAI,
      id: 'mine',
      workspaceId: 'another',
      encryptedData: 'x',
    })
    const path = `/credentials/${made.body.id}`
    const before = await rowOf(made.body.id)
    expect(made.body.id).not.toBe('mine')
    expect((await call(bob, 'GET', '/credentials')).body).toEqual([])
    expect((await call(bob, 'GET', path)).status).toBe(404)
    expect((await call(bob, 'PUT', path, { name: 'his' })).status).toBe(404)
    expect((await call(bob, 'DELETE', path)).status).toBe(404)
    expect(await rowOf(made.body.id)).toEqual(before)
  })

  it('cannot decrypt a value copied from another workspace', async () => {
    const hers = await call(ann, 'POST', '/credentials', openAI)
    const his = await call(bob, 'POST', '/credentials', openAI)
    const stolen = (await rowOf(hers.body.id))?.encryptedData as string
    await heddle.database.update(credentials).set({ encryptedData: stolen }).where(eq(credentials.id, his.body.id))
    const answer = await call(bob, 'GET', `/credentials/${his.body.id}`)
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('MASTER_KEY') } })
  })
})

describe('types', () => {
  it('lists credential types with their fields', async () => {
    const { body } = await call(ann, 'GET', '/components-credentials')
    const names = body.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'openAIApi',
        'anthropicApi',
        'googleGenerativeAI',
        'mistralAIApi',
        'groqApi',
        'httpBasicAuth',
        'httpBearerToken',
        'httpApiKey',
      ]),
    )
    const one = await call(ann, 'GET', '/components-credentials/openAIApi')
    expect(one.body).toMatchObject({ name: 'openAIApi', inputs: [{ name: 'openAIApiKey', type: 'password' }] })
    expect((await call(ann, 'GET', '/components-credentials/nope')).status).toBe(404)
  })
})
