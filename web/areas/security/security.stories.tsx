import type { OwnSession, Security } from '#contract/organization/security.ts'
import { expect, expectWords, page, refusal, role, story, text } from '../../workshop/story.tsx'
import SecurityPanel from './SecurityPanel.tsx'
import { SignInReviewPage } from './SignInReviewPage.tsx'

const date = '2026-01-01T00:00:00.000Z'

const security: Security = {
  hasPassword: true,
  authenticator: null,
  recoveryCodesLeft: 0,
  passkeys: [],
  mayAddPasskeys: true,
}

const session = (id: string, change: Partial<OwnSession> = {}): OwnSession => ({
  id,
  device: `Browser ${id}`,
  address: '192.0.2.1',
  country: 'NO',
  method: 'password',
  createdDate: date,
  lastSeenDate: null,
  current: false,
  ...change,
})

const answers = { 'GET /account/security': security, 'GET /account/sessions': [session('a', { current: true })] }

story(
  'security settings that could not load say why',
  () => <SecurityPanel />,
  async () => {
    await expectWords(role('alert'), 'Couldn’t load your security settings')
  },
  { answers: { 'GET /account/security': refusal(404, 'Not here') } },
)

story(
  'somebody without a password is not asked to change one',
  () => <SecurityPanel />,
  async () => {
    await expect.element(role('heading', 'Sessions')).toBeVisible()
    expect(role('button', 'Change password').elements()).toEqual([])
  },
  { answers: { ...answers, 'GET /account/security': { ...security, hasPassword: false } } },
)

story(
  'a password is changed with the old one',
  () => <SecurityPanel />,
  async ({ sent }) => {
    await role('button', 'Change password').click()
    const dialog = role('dialog', 'Change password')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expectWords(role('alert'), 'Enter your current password. Use at least 8 characters.')
    await page.getByLabelText('Current password', { exact: true }).fill('old')
    await page.getByLabelText('New password', { exact: true }).fill('correct horse')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect.element(text('Password changed. Other sessions have ended.')).toBeVisible()
    expect(sent.find(({ call }) => call === 'PUT /account/password')?.body).toEqual({
      currentPassword: 'old',
      newPassword: 'correct horse',
    })
  },
  { answers: { ...answers, 'PUT /account/password': {} } },
)

story(
  'this browser is marked among the sessions, and only others can be ended',
  () => <SecurityPanel />,
  async ({ sent }) => {
    await expectWords(page.getByRole('row', { name: /^Browser a/ }), 'This browser')
    await expectWords(page.getByRole('row', { name: /^Browser b/ }), '192.0.2.1, NO')
    expect(role('button', 'End: Browser a').elements()).toEqual([])
    await role('button', 'End: Browser b').click()
    await expect.element(text('Session ended')).toBeVisible()
    expect(sent.map(({ call }) => call)).toContain('DELETE /account/sessions/b')
    await role('button', 'Sign out everywhere else').click()
    await expect.element(text('You are signed out everywhere else')).toBeVisible()
    expect(sent.map(({ call }) => call)).toContain('DELETE /account/sessions')
  },
  {
    answers: {
      ...answers,
      'GET /account/sessions': [session('a', { current: true }), session('b'), session('c', { device: null })],
      'DELETE /account/sessions/*': null,
      'DELETE /account/sessions': { ended: 2 },
    },
  },
)

story(
  'one session alone offers no end of others',
  () => <SecurityPanel />,
  async () => {
    await expect.element(role('table', 'Sessions')).toBeVisible()
    expect(role('button', 'Sign out everywhere else').elements()).toEqual([])
  },
  { answers },
)

story(
  'a session that could not be ended stays, with the reason',
  () => <SecurityPanel />,
  async () => {
    await role('button', 'End: Browser b').click()
    await expectWords(page.getByRole('region', { name: 'Notifications' }), 'It has ended already')
  },
  {
    answers: {
      ...answers,
      'GET /account/sessions': [session('a', { current: true }), session('b')],
      'DELETE /account/sessions/*': refusal(404, 'It has ended already'),
    },
  },
)

const withApp = { ...security, authenticator: { createdDate: date }, recoveryCodesLeft: 1 }

story(
  'new recovery codes are shown once, after a question',
  () => <SecurityPanel />,
  async ({ sent }) => {
    await expect.element(text(/1 recovery code is left/)).toBeVisible()
    await role('button', 'Create new recovery codes').click()
    await expectWords(role('alertdialog'), 'stop working')
    await role('button', 'Create new codes').click()
    await expect.element(role('dialog', 'Keep your recovery codes')).toBeVisible()
    await expectWords(page.getByLabelText('Recovery codes', { exact: true }), 'aaaa-bbbb')
    await role('button', 'I kept them').click()
    await expect.element(role('dialog')).not.toBeInTheDocument()
    expect(sent.filter(({ call }) => call === 'POST /account/recovery-codes')).toHaveLength(1)
  },
  {
    answers: {
      ...answers,
      'GET /account/security': withApp,
      'POST /account/recovery-codes': { recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] },
    },
  },
)

story(
  'an authenticator app stays when its removal is not confirmed',
  () => <SecurityPanel />,
  async ({ sent }) => {
    await role('button', 'Remove authenticator app').click()
    await role('button', 'Cancel').click()
    expect(sent.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
    await role('button', 'Remove authenticator app').click()
    await role('button', 'Remove').click()
    await expect.element(text('Authenticator app removed')).toBeVisible()
  },
  { answers: { ...answers, 'GET /account/security': withApp, 'DELETE /account/authenticator': null }, width: 'phone' },
)

story(
  'who came through an organization’s provider reads what to do before a passkey',
  () => <SecurityPanel />,
  async () => {
    await expect.element(text(/^Choose a password first/)).toBeVisible()
    expect(role('button', 'Add a passkey').elements()).toHaveLength(0)
  },
  { answers: { ...answers, 'GET /account/security': { ...security, mayAddPasskeys: false } } },
)

const ways = {
  'GET /account/security': {
    hasPassword: true,
    authenticator: { createdDate: date },
    recoveryCodesLeft: 9,
    passkeys: [{ id: 'p1', name: 'Laptop', createdDate: date, lastUsedDate: null }],
    mayAddPasskeys: true,
  },
  'GET /account/identities': {
    identities: [
      {
        issuer: 'https://idp.example/t',
        subject: 's1',
        email: 'ada@example.com',
        createdDate: date,
        lastUsedDate: date,
      },
    ],
    providers: [],
  },
  'GET /account/sessions': [session('a', { current: true }), session('b', { device: null })],
}

story(
  'what else opens an account is listed by name, and removed at once',
  () => <SignInReviewPage />,
  async ({ sent }) => {
    const list = role('list', 'What else opens your account')
    await expectWords(list, 'Passkey “Laptop”')
    await expectWords(list, 'Authenticator app with 9 recovery codes')
    await expectWords(list, 'ada@example.com at idp.example')
    await expectWords(list, 'Session: Unknown device, 192.0.2.1')
    expect(list.getByRole('listitem').elements()).toHaveLength(4)
    expect(role('link', 'Keep it').element().getAttribute('href')).toBe('/app')
    await role('button', 'Remove all of this').click()
    await expect.poll(() => sent.map(({ call }) => call)).toContain('DELETE /account/sign-in-methods')
  },
  { answers: { ...ways, 'DELETE /account/sign-in-methods': null }, width: 'phone' },
)

const remove = (name: string) => page.getByRole('button', { name, exact: true })

story(
  'each way into an account is removed alone, and the focus stays on the page',
  () => <SignInReviewPage />,
  async ({ sent }) => {
    const changes = () =>
      sent.flatMap(({ call, body }) =>
        call.startsWith('GET') ? [] : [body ? `${call} ${JSON.stringify(body)}` : call],
      )
    for (const name of [
      'Remove: Passkey “Laptop”',
      'Remove: Authenticator app with 9 recovery codes',
      'Remove: ada@example.com at idp.example',
      'End: Session: Unknown device, 192.0.2.1',
    ]) {
      const before = changes().length
      await remove(name).click()
      await expect.poll(() => changes().length).toBe(before + 1)
    }
    expect(changes()).toEqual([
      'DELETE /account/passkeys/p1',
      'DELETE /account/authenticator',
      'POST /account/identities/unlink {"issuer":"https://idp.example/t","subject":"s1"}',
      'DELETE /account/sessions/b',
    ])
    await expect.poll(() => document.activeElement?.textContent).toContain('What opens your account')
    expect(role('link', 'Check the API keys').element().getAttribute('href')).toBe('/apikey')
  },
  {
    answers: {
      ...ways,
      'DELETE /account/passkeys/p1': null,
      'DELETE /account/authenticator': null,
      'POST /account/identities/unlink': null,
      'DELETE /account/sessions/b': null,
    },
    width: 'phone',
  },
)

story(
  'a way into an account that must stay says why',
  () => <SignInReviewPage />,
  async () => {
    await remove('Remove: Authenticator app with 9 recovery codes').click()
    await expect.element(text(/Your organization requires single sign-on/)).toBeVisible()
    await expect.element(remove('Remove: Authenticator app with 9 recovery codes')).toBeEnabled()
  },
  { answers: { ...ways, 'DELETE /account/authenticator': refusal(409, 'Your organization requires single sign-on') } },
)

story(
  'a removal that is refused says why, and keeps the list',
  () => <SignInReviewPage />,
  async () => {
    await role('button', 'Remove all of this').click()
    await expect.element(text(/Your organization requires single sign-on/)).toBeVisible()
    await expect.element(role('link', 'Keep it')).toBeVisible()
  },
  {
    answers: { ...ways, 'DELETE /account/sign-in-methods': refusal(409, 'Your organization requires single sign-on') },
  },
)

story(
  'an account that only its password opens is led to what makes it safer',
  () => <SignInReviewPage />,
  async () => {
    await expectWords(role('status'), 'Only your password opens your account')
    expect(role('link', 'Go to security').element().getAttribute('href')).toBe('/account?tab=security')
  },
  { answers: { ...answers, 'GET /account/identities': { identities: [], providers: [] } } },
)
