import type { ApiKey } from '#contract/apikeys/apikeys.ts'
import { expect, expectWords, page, refusal, role, story, text, tick } from '../../workshop/story.tsx'
import { ApiKeysPage } from './ApiKeysPage.tsx'

const key = (keyName: string, change: Partial<ApiKey> = {}): ApiKey => ({
  id: `id-${keyName}`,
  keyName,
  permissions: ['chatflows:view', 'agentflows:view'],
  flowIds: [],
  keyHint: 'ab12',
  expiresDate: null,
  lastUsedDate: null,
  createdDate: '2026-01-01T00:00:00.000Z',
  updatedDate: '2026-01-01T00:00:00.000Z',
  chatFlows: [],
  ...change,
})

const permissions = [
  {
    area: 'chatflows',
    label: 'Chat flows',
    permissions: [
      { name: 'chatflows:view', label: 'View' },
      { name: 'chatflows:create', label: 'Create' },
    ],
  },
  { area: 'agentflows', label: 'Agent flows', permissions: [{ name: 'agentflows:view', label: 'View' }] },
]

const flows = {
  data: [
    { id: 'f1', name: 'Support' },
    { id: 'f2', name: 'Sales' },
  ],
  total: 2,
}
const answers = { 'GET /apikey': [key('Website')], 'GET /permissions': permissions, 'GET /chatflows-list': flows }

story(
  'a key shows its end, what it allows, and whether it still works',
  () => <ApiKeysPage />,
  async () => {
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expectWords(row(/^Website/), '…ab12')
    await expectWords(row(/^Website/), 'Run flows')
    await expectWords(row(/^Old/), 'Expired')
    await expectWords(row(/^Old/), '1 permission, Running 2 flows')
    await expectWords(row(/^Shop/), 'Running 1 flow')
    await expectWords(row(/^Shop/), 'Shop assistant')
  },
  {
    answers: {
      ...answers,
      'GET /apikey': [
        key('Website'),
        key('Old', { expiresDate: '2020-01-01T00:00:00.000Z', permissions: ['chatflows:create'], flowIds: ['a', 'b'] }),
        key('Shop', { permissions: [], flowIds: ['a'], chatFlows: [{ id: 'f', flowName: 'Shop assistant' }] }),
      ],
    },
  },
)

story(
  'without keys the page says what they are for, and leads to the reference',
  () => <ApiKeysPage />,
  async ({ path }) => {
    await expect.element(role('heading', 'No API keys yet')).toBeVisible()
    await role('link', 'API reference').click()
    await expect.poll(path).toBe('/docs/api')
  },
  { answers: { ...answers, 'GET /apikey': [] } },
)

story(
  'a new key runs flows unless told otherwise, and needs a name and something that it allows',
  () => <ApiKeysPage />,
  async ({ sent }) => {
    await role('button', 'New API key').click()
    await role('button', 'Create').click()
    await expectWords(role('dialog'), 'Enter a name.')
    await expect.element(role('button', 'Run flows')).toHaveAttribute('aria-pressed', 'true')
    await role('textbox', 'Name').fill(' Website ')
    await role('button', 'Chosen flows').click()
    await role('button', 'Create').click()
    const missing = text('Choose at least one permission or flow.')
    await expect.element(missing).toBeVisible()
    expect(missing.elements()).toHaveLength(1)
    await role('button', 'All flows').click()
    await expect.element(role('button', 'Run flows')).toHaveAttribute('aria-pressed', 'true')
    await role('button', 'Create').click()
    await expect.element(role('dialog', 'API key “Website”')).toBeVisible()
    await expect.element(role('textbox', 'API key')).toHaveValue('secret-key')
    expect(sent.find(({ call }) => call === 'POST /apikey')?.body).toEqual({
      keyName: 'Website',
      permissions: ['chatflows:view', 'agentflows:view'],
      flowIds: [],
      expiresDate: null,
    })
  },
  {
    answers: {
      ...answers,
      'GET /apikey': [],
      'POST /apikey': { id: 'n', keyName: 'Website', apiKey: 'secret-key', permissions: [] },
    },
  },
)

story(
  'a key can be limited to chosen flows',
  () => <ApiKeysPage />,
  async ({ sent }) => {
    await role('button', 'New API key').click()
    await role('textbox', 'Name').fill('Shop')
    await role('button', 'Run flows').click()
    await role('button', 'Chosen flows').click()
    await expect.element(text('Call the flows that you choose, and nothing else.')).toBeVisible()
    await tick(role('checkbox', 'Sales'))
    await role('button', 'Create').click()
    await expect
      .poll(() => sent.find(({ call }) => call === 'POST /apikey')?.body)
      .toMatchObject({
        permissions: [],
        flowIds: ['f2'],
      })
  },
  {
    answers: {
      ...answers,
      'GET /apikey': [],
      'POST /apikey': { id: 'n', keyName: 'Shop', apiKey: 'secret-key', permissions: [] },
    },
  },
)

story(
  'permissions can be chosen one by one',
  () => <ApiKeysPage />,
  async ({ sent }) => {
    await role('button', 'Website').click()
    await role('button', 'Custom').click()
    await tick(role('checkbox', 'Chat flows: Create'))
    await role('button', 'Save').click()
    await expect.element(text('API key saved')).toBeVisible()
    expect(sent.find(({ call }) => call === 'PUT /apikey/id-Website')?.body).toMatchObject({
      permissions: ['chatflows:view', 'agentflows:view', 'chatflows:create'],
    })
  },
  { answers: { ...answers, 'PUT /apikey/*': null } },
)

story(
  'permissions that could not load say so in the form',
  () => <ApiKeysPage />,
  async () => {
    await role('button', 'New API key').click()
    await expect.element(text(/Couldn’t load permissions/)).toBeVisible()
  },
  { answers: { ...answers, 'GET /permissions': refusal(404, 'There is no such page') } },
)

story(
  'deleting a key says which flows lose their only one',
  () => <ApiKeysPage />,
  async ({ sent }) => {
    await role('button', 'Actions for Shop').click()
    await role('menuitem', 'Delete').click()
    await expectWords(role('alertdialog'), 'Programs that use this key lose access immediately.')
    await expectWords(role('alertdialog'), 'It is the only key of Shop assistant.')
    await role('button', 'Delete').click()
    await expect.element(text('Deleted “Shop”')).toBeVisible()
    expect(sent.map(({ call }) => call)).toContain('DELETE /apikey/id-Shop')
  },
  {
    answers: {
      ...answers,
      'GET /apikey': [key('Shop', { chatFlows: [{ id: 'f', flowName: 'Shop assistant' }] })],
      'DELETE /apikey/*': null,
    },
  },
)

story(
  'a deletion that fails leaves the key and says why',
  () => <ApiKeysPage />,
  async () => {
    await role('button', 'Actions for Website').click()
    await role('menuitem', 'Delete').click()
    await role('button', 'Delete').click()
    await expect.element(text('Couldn’t delete “Website”: The key is in use')).toBeVisible()
    await expect.element(role('button', 'Website')).toBeVisible()
  },
  { answers: { ...answers, 'DELETE /apikey/*': refusal(409, 'The key is in use') }, width: 'phone' },
)
