import type { ListedCredential } from '#contract/credentials/credentials.ts'
import { expect, expectWords, page, refusal, role, story, text, userEvent } from '../../workshop/story.tsx'
import { CredentialsPage } from './CredentialsPage.tsx'

const credential = (name: string, change: Partial<ListedCredential> = {}): ListedCredential => ({
  id: `id-${name}`,
  name,
  credentialName: 'acmeApi',
  createdDate: '2026-01-01T00:00:00.000Z',
  updatedDate: '2026-01-01T00:00:00.000Z',
  workspaceId: 'w1',
  lastUsedDate: null,
  hosts: [],
  usageCount: 0,
  ...change,
})

const definitions = [
  {
    name: 'acmeApi',
    label: 'Acme API',
    version: 1,
    description: 'Of the Acme console.',
    inputs: [
      { name: 'apiKey', label: 'API key', type: 'password' },
      { name: 'region', label: 'Region', type: 'string', optional: true, additionalParams: true },
    ],
  },
]

const answers = {
  'GET /components-credentials': definitions,
  'GET /credentials': [credential('Team account')],
  'GET /credentials/*': {
    ...credential('Team account'),
    plainDataObj: { apiKey: '_FLOWISE_BLANK_07167752-1a71-43b1-bf8f-4f32252165db' },
  },
  'GET /usages': { data: [{ kind: 'flow', id: 'f', name: 'Support', type: 'CHATFLOW' }], total: 1 },
}

story(
  'credentials say their type, when they were used, and what somebody must do',
  () => <CredentialsPage />,
  async () => {
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expectWords(row(/^Team account/), 'Acme API')
    await expectWords(row(/^Team account/), 'Never')
    await expectWords(row(/^Mail/), 'Reconnect')
    await expectWords(row(/^New/), 'Not connected')
  },
  {
    answers: {
      ...answers,
      'GET /credentials': [
        credential('Team account'),
        credential('Mail', { connection: 'refused' }),
        credential('New', { connection: 'none' }),
      ],
    },
  },
)

story(
  'a new credential of the only type asks for its fields at once',
  () => <CredentialsPage />,
  async ({ sent }) => {
    await role('button', 'New credential').click()
    await expect.element(text('Of the Acme console.')).toBeVisible()
    await role('button', 'Create').click()
    await expect.element(role('textbox', 'Name')).toBeInvalid()
    await role('textbox', 'Name').fill(' Team ')
    await page
      .getByLabelText(/^API key/)
      .first()
      .fill('secret-key')
    await role('button', 'Create').click()
    await expectWords(role('dialog'), 'Choose where the secret may be sent.')
    const hosts = role('combobox', 'The secret may be sent to')
    await expect.element(hosts).toHaveDisplayValue('Choose…')
    await expect.element(hosts).toHaveFocus()
    await expectWords(role('dialog'), 'This type is for any service, so only you know where its secret belongs.')
    await hosts.selectOptions('Any host')
    await role('button', 'Create').click()
    await expect.element(text('Credential created')).toBeVisible()
    expect(sent.find(({ call }) => call === 'POST /credentials')?.body).toMatchObject({
      hosts: null,
      name: 'Team',
      credentialName: 'acmeApi',
      plainDataObj: { apiKey: 'secret-key' },
    })
  },
  { answers: { ...answers, 'GET /credentials': [], 'POST /credentials': credential('Team') } },
)

story(
  'a stored secret is not shown, and its users are named before it changes',
  () => <CredentialsPage />,
  async () => {
    await role('button', 'Team account').click()
    await expect.element(role('dialog', 'Edit Acme API credential')).toBeVisible()
    await expectWords(role('dialog'), 'stored, not shown')
    await expectWords(role('dialog'), 'Used by Support.')
    expect(document.body.textContent).not.toContain('_FLOWISE_BLANK')
  },
  { answers },
)

const limitable = {
  ...answers,
  'GET /components-credentials': definitions.map((definition) => ({ ...definition, hosts: ['api.acme.example'] })),
}

const anyHost = { 'GET /credentials/*': { ...answers['GET /credentials/*'], hosts: null } }

story(
  'a new credential goes to its provider, and to hosts that somebody adds',
  () => <CredentialsPage />,
  async ({ sent }) => {
    await role('button', 'New credential').click()
    await expectWords(role('dialog'), 'Always: api.acme.example.')
    await role('textbox', 'Name').fill('Team')
    await page
      .getByLabelText(/^API key/)
      .first()
      .fill('secret-key')
    const hosts = role('textbox', 'More hosts (optional)')
    await hosts.fill('*.com')
    await role('button', 'Create').click()
    await expectWords(role('dialog'), '“*.com” is no host. Enter one like api.example.com or *.example.com.')
    await expect.element(hosts).toHaveFocus()
    await hosts.fill('https://Gateway.example/v1')
    await expectWords(role('dialog'), '“https://Gateway.example/v1” has a path.')
    await expectWords(role('dialog'), 'enter gateway.example.')
    await hosts.fill('https://Gateway.example/\n*.acme.example')
    await role('button', 'Create').click()
    await expect.element(text('Credential created')).toBeVisible()
    const created = sent.find(({ call }) => call === 'POST /credentials')
    expect(created?.body).toMatchObject({ hosts: ['gateway.example', '*.acme.example'] })
  },
  { answers: { ...limitable, 'GET /credentials': [], 'POST /credentials': credential('Team') } },
)

story(
  'a credential from before there were hosts says that it may go anywhere, and is limited with one click',
  () => <CredentialsPage />,
  async ({ sent }) => {
    await role('button', 'Team account').click()
    await expect.element(role('combobox', 'The secret may be sent to')).toHaveDisplayValue('Any host')
    await expectWords(role('note'), 'Whoever may edit or import flows can have it sent to a host of their own.')
    await role('button', 'Limit to api.acme.example').click()
    await expect.element(role('combobox', 'The secret may be sent to')).toHaveDisplayValue('Only these hosts')
    await role('button', 'Save').click()
    await expect.element(text('Credential saved')).toBeVisible()
    expect(sent.find(({ call }) => call.startsWith('PUT /credentials/'))?.body).toMatchObject({ hosts: [] })
  },
  {
    answers: {
      ...limitable,
      ...anyHost,
      'PUT /credentials/*': credential('Team account'),
    },
    width: 'phone',
  },
)

for (const width of ['desktop', 'phone'] as const)
  story(
    `the list marks what may be sent anywhere, and leads by keyboard to where it is limited, on a ${width}`,
    () => <CredentialsPage />,
    async () => {
      const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
      await expectWords(row('Gateway'), 'Any host')
      expect((await row('Team account').element()).textContent).not.toContain('Any host')
      const hosts = row('Team account').getByText('api.acme.example and 2 more')
      if (width === 'phone') await expect.element(hosts).not.toBeVisible()
      else await expect.element(hosts).toBeVisible()
      const limit = role('button', 'Any host: limit where Gateway is sent')
      await expect.element(limit).toBeVisible()
      ;(limit.element() as HTMLElement).focus()
      await userEvent.keyboard('{Enter}')
      await expect.element(role('combobox', 'The secret may be sent to')).toHaveFocus()
      await userEvent.tab()
      await userEvent.keyboard('{Enter}')
      await expect.element(role('combobox', 'The secret may be sent to')).toHaveDisplayValue('Only these hosts')
    },
    {
      width,
      answers: {
        ...limitable,
        ...anyHost,
        'GET /credentials': [
          credential('Team account', { hosts: ['gateway.example', '*.acme.example'] }),
          credential('Gateway', { hosts: null }),
        ],
      },
    },
  )

story(
  'somebody who may not change a credential sees that it may be sent anywhere',
  () => <CredentialsPage />,
  async () => {
    await expect.element(text('Any host')).toBeVisible()
    expect(role('button', /^Any host/).elements()).toEqual([])
  },
  {
    answers: { ...limitable, 'GET /credentials': [credential('Gateway', { hosts: null })] },
    can: ['credentials:view'],
  },
)

story(
  'a credential that could not be opened says so',
  () => <CredentialsPage />,
  async () => {
    await role('button', 'Team account').click()
    await expect.element(text(/^Couldn’t open “Team account”/)).toBeVisible()
  },
  { answers: { ...answers, 'GET /credentials/*': refusal(404, 'It is gone') } },
)

story(
  'somebody who may only look at credentials changes none',
  () => <CredentialsPage />,
  async () => {
    await expect.element(text('Team account')).toBeVisible()
    expect(role('button', 'New credential').elements()).toEqual([])
    expect(role('button', 'Actions for Team account').elements()).toEqual([])
  },
  { answers, can: ['credentials:view'], width: 'phone' },
)
