import type { ListedVariable } from '#contract/variables/variables.ts'
import { expect, expectWords, never, page, refusal, role, story, text } from '../../workshop/story.tsx'
import { VariablesPage } from './VariablesPage.tsx'

const variable = (name: string, change: Partial<ListedVariable> = {}): ListedVariable => ({
  id: `id-${name}`,
  name,
  value: `value of ${name}`,
  type: 'static',
  hasValue: true,
  createdDate: '2026-01-01T00:00:00.000Z',
  updatedDate: '2026-01-01T00:00:00.000Z',
  workspaceId: 'w1',
  usageCount: 0,
  ...change,
})

const all = [
  variable('baseUrl'),
  variable('token', { type: 'secret', value: '' }),
  variable('lost', { type: 'secret', value: '', hasValue: false }),
  variable('customer', { type: 'runtime', value: '', usageCount: 2 }),
]

story(
  'variables that are loading say so',
  () => <VariablesPage />,
  async () => {
    await expect.element(role('status', 'Loading variables')).toBeInTheDocument()
  },
  { answers: { 'GET /variables': never } },
)

story(
  'variables that could not load say why, with the id of the request',
  () => <VariablesPage />,
  async ({ sent }) => {
    await expectWords(role('alert'), 'You need another permission')
    await expectWords(role('alert'), 'Request req-1.')
    await role('button', 'Try again').click()
    await expect.poll(() => sent.length).toBe(2)
  },
  { answers: { 'GET /variables': refusal(404, 'You need another permission') } },
)

story(
  'each variable shows its value, except secrets and what is set for each run',
  () => <VariablesPage />,
  async () => {
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expectWords(row(/^baseUrl/), 'value of baseUrl')
    await expectWords(row(/^baseUrl/), 'Not used')
    await expectWords(row(/^token/), 'Secret, not shown')
    await expectWords(row(/^lost/), 'Not set. Edit it to enter the value')
    await expectWords(row(/^customer/), 'Set for each run')
    await expectWords(row(/^customer/), '2 places')
  },
  { answers: { 'GET /variables': all } },
)

story(
  'the search finds a variable by its value too',
  () => <VariablesPage />,
  async () => {
    await role('searchbox', 'Search variables').fill('of base')
    await expect.poll(() => role('row').elements()).toHaveLength(2)
    await expect.element(role('button', 'baseUrl')).toBeVisible()
  },
  { answers: { 'GET /variables': all } },
)

story(
  'somebody who may only look at variables changes none',
  () => <VariablesPage />,
  async () => {
    await expect.element(text('baseUrl')).toBeVisible()
    expect(role('button', 'New variable').elements()).toEqual([])
    expect(role('button', 'baseUrl').elements()).toEqual([])
    expect(role('button', 'Actions for baseUrl').elements()).toEqual([])
  },
  { answers: { 'GET /variables': all }, can: ['variables:view'] },
)

story(
  'a new variable needs a name of letters and digits, and says how flows call it',
  () => <VariablesPage />,
  async ({ sent }) => {
    await role('button', 'New variable').click()
    await role('button', 'Create').click()
    await expect.element(text('Enter a name.')).toBeVisible()
    await role('textbox', 'Name').fill('base url')
    await role('button', 'Create').click()
    await expect.element(text('Use only letters, digits, _ and -.')).toBeVisible()
    await role('textbox', 'Name').fill(' base_url ')
    await expect.element(text('Reference it in flows as {{$vars.base_url}}.')).toBeVisible()
    await role('textbox', 'Value').fill('https://example.com')
    await role('button', 'Create').click()
    await expect.element(text('Variable created')).toBeVisible()
    expect(sent.find(({ call }) => call === 'POST /variables')?.body).toEqual({
      name: 'base_url',
      value: 'https://example.com',
      type: 'static',
    })
  },
  { answers: { 'GET /variables': [], 'POST /variables': {} } },
)

story(
  'a secret must be long enough to be hidden',
  () => <VariablesPage />,
  async () => {
    await role('button', 'New variable').click()
    await role('textbox', 'Name').fill('token')
    await role('combobox', 'Type').selectOptions('Secret')
    await role('button', 'Create').click()
    await expect.element(text('Enter the secret.')).toBeVisible()
    await page.getByLabelText('Value').fill('short')
    await role('button', 'Create').click()
    await expect.element(text('Use at least 6 characters: shorter texts cannot be hidden.')).toBeVisible()
  },
  { answers: { 'GET /variables': [] } },
)

story(
  'a stored secret is kept when only its name changes',
  () => <VariablesPage />,
  async ({ sent }) => {
    await role('button', 'token').click()
    await expect.element(text('stored, not shown')).toBeVisible()
    await role('textbox', 'Name').fill('apiToken')
    await role('button', 'Save').click()
    await expect.element(text('Variable saved')).toBeVisible()
    expect(sent.find(({ call }) => call === 'PUT /variables/id-token')?.body).toEqual({
      name: 'apiToken',
      type: 'secret',
    })
  },
  { answers: { 'GET /variables': all, 'PUT /variables/*': {} } },
)

story(
  'a name that is taken is said at the field',
  () => <VariablesPage />,
  async () => {
    await role('button', 'New variable').click()
    await role('textbox', 'Name').fill('baseUrl')
    await role('button', 'Create').click()
    await expect.element(text('There is one with this name.')).toBeVisible()
    await expect.element(role('textbox', 'Name')).toBeInvalid()
  },
  {
    answers: {
      'GET /variables': all,
      'POST /variables': refusal(409, 'name: There is one with this name', { field: 'name' }),
    },
  },
)

story(
  'a variable is deleted after its users were named, and can be restored',
  () => <VariablesPage />,
  async ({ sent }) => {
    await role('button', 'Actions for baseUrl').click()
    await role('menuitem', 'Delete').click()
    await expectWords(role('alertdialog'), 'Used by Support. It will fail until you create it again.')
    await role('button', 'Delete').click()
    await expect.element(text('Deleted “baseUrl”')).toBeVisible()
    await role('button', 'Undo').click()
    await expect
      .poll(() => sent.find(({ call }) => call === 'POST /variables')?.body)
      .toEqual({
        name: 'baseUrl',
        value: 'value of baseUrl',
        type: 'static',
      })
    expect(sent.map(({ call }) => call)).toContain('DELETE /variables/id-baseUrl')
  },
  {
    answers: {
      'GET /variables': all,
      'GET /usages': { data: [{ kind: 'flow', id: 'f', name: 'Support', type: 'AGENTFLOW' }], total: 1 },
      'DELETE /variables/*': null,
      'POST /variables': {},
    },
  },
)

story(
  'a deleted secret cannot be restored, and its deletion says so',
  () => <VariablesPage />,
  async ({ sent }) => {
    await role('button', 'Actions for token').click()
    await role('menuitem', 'Delete').click()
    await expectWords(role('alertdialog'), 'Nothing uses it. Its value can’t be restored.')
    await role('button', 'Cancel').click()
    await expect.element(role('alertdialog')).not.toBeInTheDocument()
    expect(sent.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
  },
  { answers: { 'GET /variables': all, 'GET /usages': { data: [], total: 0 } } },
)
