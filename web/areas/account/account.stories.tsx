import { expect, expectWords, refusal, role, story, text } from '../../workshop/story.tsx'
import EmailsPanel from './EmailsPanel.tsx'
import { LimitedAccount } from './LimitedAccount.tsx'

story(
  'somebody whom an organization’s provider signed in reads why the account is closed, and signs in again',
  () => <LimitedAccount />,
  async ({ sent, path }) => {
    await expect.element(role('heading', 'Sign in with your password or passkey to change your account')).toBeVisible()
    await role('button', 'Sign out and sign in again').click()
    await expect.poll(path).toBe('/signin?next=%2Faccount')
    expect(sent.map(({ call }) => call)).toEqual(['POST /account/logout'])
  },
  { answers: { 'POST /account/logout': { message: '', redirectTo: '/login' } } },
)

const toggle = () => role('checkbox', 'Email me when a run waits for my answer')

story(
  'a choice of emails that could not be saved is taken back, and says why',
  () => <EmailsPanel />,
  async ({ sent }) => {
    await expect.element(toggle()).toBeChecked()
    await text('Email me when a run waits for my answer').click()
    await expect.element(text('Couldn’t save your emails: The server is busy')).toBeVisible()
    await expect.element(toggle()).toBeChecked()
    expect(sent.at(-1)).toMatchObject({ call: 'PUT /email-settings', body: { questions: false } })
  },
  {
    answers: {
      'GET /email-settings': { questions: true },
      'PUT /email-settings': refusal(503, 'The server is busy'),
    },
  },
)

story(
  'a choice of emails that could not be loaded says why',
  () => <EmailsPanel />,
  async () => {
    await expectWords(role('alert'), 'The server is busy Try again')
  },
  { answers: { 'GET /email-settings': refusal(400, 'The server is busy') } },
)
