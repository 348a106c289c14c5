import { Held } from '../../workshop/Held.tsx'
import { expect, expectWords, page, refusal, role, story } from '../../workshop/story.tsx'
import { CredentialInput } from './CredentialInput.tsx'

const param = { name: 'credential', label: 'Credential', type: 'credential', credentialNames: ['acmeApi'] } as never

const input = (tell: (value: unknown) => void, initial = '') => (
  <Held<unknown> initial={initial} tell={tell}>
    {(value, onChange) => (
      <>
        <label htmlFor="it">Credential</label>
        <CredentialInput id="it" param={param} value={value} onChange={onChange} />
      </>
    )}
  </Held>
)

const DATE = '2026-01-01T00:00:00.000Z'
const stored = (id: string, name: string) => ({ id, name, credentialName: 'acmeApi', usageCount: 0, createdDate: DATE })
const definition = {
  name: 'acmeApi',
  label: 'Acme API',
  version: 1,
  inputs: [{ name: 'key', label: 'Key', type: 'password' }],
}
const answers = {
  'GET /credentials': [stored('c1', 'Team'), stored('c2', 'Private')],
  'GET /components-credentials': [definition, { ...definition, name: 'otherApi', label: 'Other API' }],
}

story(
  'a credential is chosen among those of its type',
  (tell) => input(tell),
  async ({ told, sent }) => {
    await role('combobox', 'Credential').selectOptions('Private')
    expect(told).toEqual(['c2'])
    expect(sent.find(({ call }) => call === 'GET /credentials')?.query).toEqual({ credentialName: 'acmeApi' })
  },
  { answers },
)

story(
  'a credential that is gone is kept, and said to be missing',
  (tell) => input(tell, 'c9'),
  async () => {
    await expect.element(role('combobox', 'Credential')).toHaveDisplayValue('Credential not found')
    await expect.element(role('combobox', 'Credential')).toHaveValue('c9')
  },
  { answers },
)

story(
  'somebody who may not see credentials learns what they need',
  (tell) => input(tell, 'c1'),
  async ({ sent }) => {
    await expect.element(role('combobox', 'Credential')).toHaveDisplayValue('Hidden credential')
    await expectWords(role('main'), 'You need the permission “Credentials: View” to choose a credential.')
    await expect.element(role('button', 'New credential')).toBeDisabled()
    expect(sent.map(({ call }) => call)).not.toContain('GET /credentials')
  },
  { answers, can: ['chatflows:view'] },
)

story(
  'a credential that is made here is chosen at once',
  (tell) => input(tell),
  async ({ told }) => {
    await role('button', 'New credential').click()
    await role('dialog').getByRole('textbox', { name: 'Name' }).fill('Mine')
    await page.getByLabelText(/^Key/).first().fill('secret-key')
    await role('combobox', 'The secret may be sent to').selectOptions('Only these hosts')
    await role('textbox', 'Hosts').fill('api.acme.example')
    await role('button', 'Create').click()
    await expect.poll(() => told).toEqual(['c3'])
  },
  { answers: { ...answers, 'POST /credentials': stored('c3', 'Mine') } },
)

story(
  'credentials that could not load say why',
  (tell) => input(tell),
  async () => {
    await expectWords(role('main'), 'Couldn’t load credentials: Not here')
  },
  { answers: { ...answers, 'GET /credentials': refusal(404, 'Not here') }, width: 'phone' },
)

const gateway = { name: 'basepath', label: 'Base path', type: 'string' }

story(
  'a new credential of a node with a base path is tested there, and the host is named before',
  (tell) => (
    <>
      <label htmlFor="it">Credential</label>
      <CredentialInput
        id="it"
        param={param}
        value=""
        onChange={tell}
        scope={{ params: [gateway], inputs: { basepath: 'https://gateway.example/v1' } }}
      />
    </>
  ),
  async ({ sent }) => {
    await role('button', 'New credential').click()
    await page.getByLabelText(/^Key/).first().fill('the-key')
    await expectWords(role('dialog'), 'The secret goes to gateway.example.')
    await expect.element(role('textbox', 'Hosts')).toHaveValue('gateway.example')
    await role('button', 'Test').click()
    await expectWords(role('dialog').getByRole('status'), 'gateway.example accepts it.')
    const tested = sent.find(({ call }) => call === 'POST /credentials/test')
    expect(tested?.body).toMatchObject({ url: 'https://gateway.example/v1/models' })
  },
  {
    answers: {
      ...answers,
      'GET /components-credentials': [{ ...definition, test: 'either', testHost: 'api.acme.example' }],
      'POST /credentials/test': { ok: true, message: 'gateway.example accepts it.' },
    },
  },
)
