import type { Invitation, OrganizationMember } from '#contract/organization/members.ts'
import { expect, expectWords, page, refusal, role, story, text, userEvent } from '../../workshop/story.tsx'
import { AcceptInvitationPage } from './AcceptInvitationPage.tsx'
import { UsersPage } from './UsersPage.tsx'

const member = (name: string, change: Partial<OrganizationMember> = {}): OrganizationMember => ({
  id: `id-${name}`,
  name,
  email: `${name.toLowerCase()}@example.com`,
  isAdmin: false,
  isDisabled: false,
  role: null,
  workspaces: [{ id: 'w1', name: 'Research', role: { id: 'r', name: 'Editor' } }],
  lastLogin: null,
  hasSecondStep: false,
  canChange: true,
  ...change,
})

const invitation = (email: string, change: Partial<Invitation> = {}): Invitation => ({
  id: `id-${email}`,
  email,
  role: null,
  workspaces: [],
  invitedBy: { id: 'u1', name: 'Ada' },
  createdDate: '2026-01-01T00:00:00.000Z',
  expiresDate: '2026-01-08T00:00:00.000Z',
  state: 'pending',
  ...change,
})

const choices = {
  roles: [{ id: 'o1', name: 'People manager' }],
  workspaces: [{ id: 'w1', name: 'Research', roles: [{ id: 'r1', name: 'Editor' }] }],
}

const answers = {
  'GET /users': [member('Ada', { isAdmin: true, canChange: false }), member('Grace')],
  'GET /account/invitations': [],
  'GET /account/invite/choices': choices,
}

story(
  'people show their role and workspaces, and nobody changes who is above them',
  () => <UsersPage />,
  async () => {
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expectWords(row(/^Ada/), 'Admin')
    await expectWords(row(/^Ada/), 'All')
    await expectWords(row(/^Grace/), 'Member')
    await expectWords(row(/^Grace/), 'Research (Editor)')
    expect(role('button', 'Actions for Ada').elements()).toEqual([])
    expect(role('heading', 'Invited').elements()).toEqual([])
  },
  { answers },
)

story(
  'people that could not load say why',
  () => <UsersPage />,
  async () => {
    await expectWords(role('alert'), 'Couldn’t load users')
  },
  { answers: { ...answers, 'GET /account/invitations': refusal(404, 'Not here') } },
)

story(
  'an invitation needs an address and a role in a workspace',
  () => <UsersPage />,
  async ({ sent }) => {
    await role('button', 'Invite').click()
    await role('dialog').getByRole('button', { name: 'Invite' }).click()
    await expectWords(role('dialog'), 'Choose a role in at least one workspace.')
    await role('textbox', 'Email').fill(' mary@example.com ')
    await role('combobox', 'Role in Research').selectOptions('Editor')
    await role('dialog').getByRole('button', { name: 'Invite' }).click()
    await expect.element(text('Invitation sent to mary@example.com')).toBeVisible()
    expect(sent.find(({ call }) => call === 'POST /account/invite')?.body).toEqual({
      email: 'mary@example.com',
      roleId: null,
      workspaces: [{ workspaceId: 'w1', roleId: 'r1' }],
    })
  },
  { answers: { ...answers, 'POST /account/invite': { id: 'i1', link: null } } },
)

story(
  'a server without mail shows the link of an invitation once',
  () => <UsersPage />,
  async () => {
    await role('button', 'Actions for mary@example.com').click()
    await role('menuitem', 'Send again').click()
    await expect.element(role('dialog', 'Invitation link')).toBeVisible()
    await expect.element(role('textbox', 'Link')).toHaveValue(`${location.origin}/invite#token=t`)
  },
  {
    answers: {
      ...answers,
      'GET /account/invitations': [invitation('mary@example.com'), invitation('old@example.com', { state: 'expired' })],
      'POST /account/invitations/*/resend': { id: 'i1', link: '/invite#token=t' },
    },
  },
)

story(
  'an invitation says its state and can be revoked',
  () => <UsersPage />,
  async ({ sent }) => {
    await expectWords(page.getByRole('row', { name: /^old@/ }), 'Expired')
    await expectWords(page.getByRole('row', { name: /^gone@/ }), 'No longer valid')
    await role('button', 'Actions for old@example.com').click()
    await role('menuitem', 'Revoke').click()
    await expect.element(text('Invitation revoked')).toBeVisible()
    expect(sent.map(({ call }) => call)).toContain('DELETE /account/invitations/id-old@example.com')
  },
  {
    answers: {
      ...answers,
      'GET /account/invitations': [
        invitation('old@example.com', { state: 'expired' }),
        invitation('gone@example.com', { state: 'void' }),
      ],
      'DELETE /account/invitations/*': null,
    },
  },
)

story(
  'who is removed leaves keys behind, which are named',
  () => <UsersPage />,
  async () => {
    await role('button', 'Actions for Grace').click()
    await role('menuitem', 'Remove').click()
    await role('button', 'Remove').click()
    await expect.element(text('Removed Grace')).toBeVisible()
    await expect.element(text(/API keys that Grace made still work: Website \(Research\)/)).toBeVisible()
  },
  {
    answers: {
      ...answers,
      'DELETE /users/*': {
        raw: [],
        affected: 1,
        apiKeys: [{ id: 'k', keyName: 'Website', workspaceId: 'w1', workspace: 'Research' }],
      },
    },
  },
)

story(
  'somebody is disabled and enabled again',
  () => <UsersPage />,
  async ({ sent }) => {
    await expectWords(page.getByRole('row', { name: /^Alan/ }), 'Disabled')
    await role('button', 'Actions for Alan').click()
    await role('menuitem', 'Enable').click()
    await expect.element(text('Alan is enabled')).toBeVisible()
    await role('button', 'Actions for Grace').click()
    await role('menuitem', 'Disable').click()
    await expect.element(text('Grace is disabled')).toBeVisible()
    const changes = sent.filter(({ call }) => !call.startsWith('GET'))
    expect(changes.map(({ call }) => call)).toEqual(['POST /users/id-Alan/enable', 'POST /users/id-Grace/disable'])
  },
  {
    answers: {
      ...answers,
      'GET /users': [member('Grace'), member('Alan', { isDisabled: true })],
      'POST /users/*/enable': {},
      'POST /users/*/disable': {},
    },
    width: 'phone',
  },
)

story(
  'the two-step sign-in of who has one is removed after a question',
  () => <UsersPage />,
  async ({ sent }) => {
    const changes = () => sent.map(({ call }) => call).filter((call) => !call.startsWith('GET'))
    await role('button', 'Actions for Alan').click()
    await expect.element(page.getByRole('menuitem', { name: 'Remove', exact: true })).toBeVisible()
    expect(role('menuitem', 'Remove two-step sign-in').elements()).toEqual([])
    await userEvent.keyboard('{Escape}')
    await role('button', 'Actions for Grace').click()
    await role('menuitem', 'Remove two-step sign-in').click()
    await expectWords(role('alertdialog'), 'an email tells them')
    await role('button', 'Cancel').click()
    expect(changes()).toEqual([])
    await role('button', 'Actions for Grace').click()
    await role('menuitem', 'Remove two-step sign-in').click()
    await role('alertdialog').getByRole('button', { name: 'Remove two-step sign-in' }).click()
    await expect.element(text('Grace signs in without a code now')).toBeVisible()
    expect(changes()).toEqual(['DELETE /users/id-Grace/second-step'])
  },
  {
    answers: {
      ...answers,
      'GET /users': [member('Grace', { hasSecondStep: true }), member('Alan')],
      'DELETE /users/*/second-step': member('Grace'),
    },
    width: 'phone',
  },
)

const invited = {
  email: 'mary@example.com',
  organization: 'Acme',
  inviter: 'Ada',
  expiresDate: '2026-01-08T00:00:00.000Z',
}

/** As if the page were opened by the link of an invitation. */
const opened = () => {
  sessionStorage.clear()
  history.replaceState(null, '', `${location.pathname}${location.search}#token=t-1`)
  return <AcceptInvitationPage />
}

story(
  'a new person joins with a name and a password',
  opened,
  async ({ sent, path }) => {
    await expect.element(role('heading', 'Join Acme')).toBeVisible()
    await expect.element(role('textbox', 'Email')).toHaveValue('mary@example.com')
    await role('button', 'Join').click()
    await expectWords(role('main'), 'Use at least 8 characters.')
    await role('textbox', 'Name').fill('Mary')
    await page.getByLabelText('Password', { exact: true }).fill('correct horse')
    await role('button', 'Join').click()
    await expect.poll(path).toBe('/app')
    expect(sent.at(-1)?.body ?? sent.at(-2)?.body).toMatchObject({ token: 't-1', name: 'Mary' })
  },
  {
    answers: {
      'POST /account/invitation': { ...invited, next: 'register' },
      'POST /account/invitation/accept': {
        ...{ id: 'u2', isOrganizationAdmin: false, isSSO: false, managesAccount: true, isPlatformAdmin: false },
        ...{ permissions: [], features: {}, assignedWorkspaces: [], activeWorkspaceId: 'w1' },
      },
    },
  },
)

story(
  'an invitation for another address than that of the session says so',
  opened,
  async () => {
    await expectWords(role('note'), 'You’re signed in as ada@example.com')
    await expect.element(role('link', 'Stay signed in')).toBeVisible()
    expect(location.hash).toBe('')
  },
  { answers: { 'POST /account/invitation': { ...invited, next: 'switch', signedInAs: 'ada@example.com' } } },
)

story(
  'an invitation is not accepted through another organization’s provider, and the page says how',
  opened,
  async () => {
    await expectWords(role('note'), 'sign in with your password or passkey to accept')
    await expect.element(role('button', 'Sign out and continue')).toBeVisible()
  },
  { answers: { 'POST /account/invitation': { ...invited, next: 'prove', signedInAs: invited.email } } },
)

story(
  'an invitation that was used leads to the sign-in',
  opened,
  async ({ path }) => {
    await expect.element(role('heading', 'This invitation can’t be used')).toBeVisible()
    await expect.element(text('It was used already.')).toBeVisible()
    await role('link', 'Go to sign in').click()
    await expect.poll(path).toBe('/signin')
  },
  { answers: { 'POST /account/invitation': refusal(400, 'token: It was used already.', { field: 'token' }) } },
)
