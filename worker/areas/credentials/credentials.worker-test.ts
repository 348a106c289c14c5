import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BLANK_SECRET } from '#contract/credentials.ts'
import { credentials } from '#db/schema/index.ts'
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

async function call(client: TestClient, method: string, path: string, json?: unknown) {
  const response = await client.fetch(`/api/v1${path}`, { method, json })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

const secret = 'sk-very-secret-1234567890'
const openAI = { name: 'My OpenAI', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: secret } }
const basic = {
  name: 'Basic',
  credentialName: 'httpBasicAuth',
  plainDataObj: { basicAuthUsername: 'ann', basicAuthPassword: secret },
}
const rowOf = async (id: string) => (await heddle.database.select().from(credentials).where(eq(credentials.id, id)))[0]

describe('a credential', () => {
  it('is made, listed, read masked, changed and deleted', async () => {
    const made = await call(ann, 'POST', '/credentials', basic)
    expect(made.status).toBe(200)
    expect(Object.keys(made.body).sort()).toEqual(
      ['createdDate', 'credentialName', 'id', 'name', 'updatedDate', 'workspaceId'].sort(),
    )
    const { id } = made.body
    expect((await call(ann, 'GET', '/credentials?credentialName=httpBasicAuth')).body).toEqual([made.body])
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

  it('is listed by one type, by several, or all', async () => {
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

  it('never shows its secret: not in an answer, not in the database', async () => {
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

  it('has no call that reveals it', async () => {
    const made = await call(ann, 'POST', '/credentials', openAI)
    expect((await call(ann, 'GET', `/credentials/${made.body.id}/reveal`)).status).toBe(404)
  })

  it('keeps a secret that is only echoed and removes what is emptied', async () => {
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

describe('bad input gets a 400 that names the field and changes nothing', () => {
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
  ])('%j', async (bad, field) => {
    const before = (await call(ann, 'GET', '/credentials')).body
    expect(await call(ann, 'POST', '/credentials', bad)).toMatchObject({ status: 400, body: { field } })
    expect((await call(ann, 'GET', '/credentials')).body).toEqual(before)
  })

  it('does not change the type', async () => {
    const made = await call(ann, 'POST', '/credentials', openAI)
    const before = await rowOf(made.body.id)
    const answer = await call(ann, 'PUT', `/credentials/${made.body.id}`, { credentialName: 'groqApi' })
    expect(answer).toMatchObject({ status: 400, body: { field: 'credentialName' } })
    expect(await rowOf(made.body.id)).toEqual(before)
  })
})

describe('another workspace', () => {
  it('neither sees it nor touches it, whatever the body says', async () => {
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

  it('cannot read a sealed value that was moved into its own row', async () => {
    const hers = await call(ann, 'POST', '/credentials', openAI)
    const his = await call(bob, 'POST', '/credentials', openAI)
    const stolen = (await rowOf(hers.body.id))?.encryptedData as string
    await heddle.database.update(credentials).set({ encryptedData: stolen }).where(eq(credentials.id, his.body.id))
    const answer = await call(bob, 'GET', `/credentials/${his.body.id}`)
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('MASTER_KEY') } })
  })
})

describe('types', () => {
  it('are listed with their fields', async () => {
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
