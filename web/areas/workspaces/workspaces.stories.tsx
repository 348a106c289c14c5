import type { Workspace, WorkspaceUser, WorkspaceUsers } from '#contract/organization/workspaces.ts'
import { expect, expectWords, page, refusal, role, story, text } from '../../workshop/story.tsx'
import { WorkspacesPage } from './WorkspacesPage.tsx'
import { WorkspaceUsersPage } from './WorkspaceUsersPage.tsx'

const person = (name: string, change: Partial<WorkspaceUser> = {}): WorkspaceUser => ({
  id: `id-${name}`,
  name,
  email: `${name.toLowerCase()}@example.com`,
  isAdmin: false,
  isDisabled: false,
  role: { id: 'r2', name: 'Viewer' },
  ...change,
})

const people: WorkspaceUsers = {
  workspace: { id: 'w1', name: 'Research' },
  users: [person('Ada', { isAdmin: true, role: null }), person('Grace'), person('Alan', { isDisabled: true })],
  roles: [
    { id: 'r1', name: 'Editor', description: 'Changes everything.' },
    { id: 'r2', name: 'Viewer', description: 'Looks at everything.' },
  ],
}

const answers = { 'GET /workspaces/*/users': people }

story(
  'people of a workspace show their role, and admins have no other',
  () => <WorkspaceUsersPage id="w1" />,
  async () => {
    await expect.element(role('heading', 'People in Research')).toBeVisible()
    await expectWords(page.getByRole('row', { name: /^Ada/ }), 'Organization Admin')
    await expectWords(page.getByRole('row', { name: /^Alan/ }), 'Disabled')
    expect(role('button', 'Actions for Ada').elements()).toEqual([])
    await role('searchbox', 'Search people').fill('GRACE@')
    await expect.poll(() => role('row').elements()).toHaveLength(2)
  },
  { answers },
)

story(
  'somebody is added by address, with the least role unless another is chosen',
  () => <WorkspaceUsersPage id="w1" />,
  async ({ sent }) => {
    await role('button', 'Add a person').click()
    await expect.element(role('combobox', 'Role')).toHaveDisplayValue('Viewer')
    await expect.element(text('Looks at everything.')).toBeVisible()
    await role('button', 'Add').click()
    await expect.element(text('Enter an email address.')).toBeVisible()
    await role('textbox', 'Email').fill(' mary@example.com ')
    await role('button', 'Add').click()
    await expect.element(text('Added mary@example.com')).toBeVisible()
    expect(sent.find(({ call }) => call === 'POST /workspaces/w1/users')?.body).toEqual({
      email: 'mary@example.com',
      roleId: 'r2',
    })
  },
  { answers: { ...answers, 'POST /workspaces/*/users': {} } },
)

story(
  'removing somebody is marked as dangerous, and asks first',
  () => <WorkspaceUsersPage id="w1" />,
  async ({ sent }) => {
    await role('button', 'Actions for Grace').click()
    await role('menuitem', 'Remove').click()
    await expect.element(role('alertdialog', 'Remove Grace?')).toBeVisible()
    const remove = role('button', 'Remove')
    const [red = 0, green = 0, blue = 0] = colorOf(remove.element())
    expect(red).toBeGreaterThan(2 * Math.max(green, blue))
    await remove.click()
    await expect.element(text('Removed Grace')).toBeVisible()
    expect(sent.map(({ call }) => call)).toContain('DELETE /workspaces/w1/users/id-Grace')
  },
  { answers: { ...answers, 'DELETE /workspaces/*/users/*': null } },
)

/** Red, green and blue of a button. */
const colorOf = (button: Element) => getComputedStyle(button).backgroundColor.match(/\d+/g)?.map(Number) ?? []

story(
  'somebody who could not be removed stays, with the reason',
  () => <WorkspaceUsersPage id="w1" />,
  async () => {
    await role('button', 'Actions for Grace').click()
    await role('menuitem', 'Remove').click()
    await role('button', 'Remove').click()
    await expectWords(page.getByRole('region', { name: 'Notifications' }), 'Couldn’t remove Grace: They own a flow')
    await expect.element(page.getByRole('row', { name: /^Grace/ })).toBeVisible()
  },
  { answers: { ...answers, 'DELETE /workspaces/*/users/*': refusal(409, 'They own a flow') } },
)

story(
  'somebody who may only look changes nobody',
  () => <WorkspaceUsersPage id="w1" />,
  async () => {
    await expect.element(page.getByRole('row', { name: /^Grace/ })).toBeVisible()
    expect(role('button', 'Add a person').elements()).toEqual([])
    expect(role('button', 'Actions for Grace').elements()).toEqual([])
  },
  { answers, can: ['workspace:view'], width: 'phone' },
)

const workspace = (name: string, change: Partial<Workspace> = {}): Workspace => ({
  id: `id-${name}`,
  name,
  users: 3,
  createdDate: '2026-01-01T00:00:00.000Z',
  restorableUntil: null,
  ...change,
})

const me = {
  id: 'u1',
  isOrganizationAdmin: true,
  isSSO: false,
  managesAccount: true,
  isPlatformAdmin: false,
  permissions: [],
  features: {},
  assignedWorkspaces: [],
  activeWorkspaceId: 'x',
}
const list = { workspaces: [workspace('Research'), workspace('Sales')], deleted: [] }

story(
  'a workspace is deleted by who types its name',
  () => <WorkspacesPage />,
  async ({ sent }) => {
    await role('button', 'Actions for Sales').click()
    await role('menuitem', 'Delete').click()
    await role('textbox', 'Name of the workspace').fill('sales')
    await role('button', 'Delete workspace').click()
    await expectWords(role('dialog'), 'The name doesn’t match.')
    expect(sent.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
    await role('textbox', 'Name of the workspace').fill('Sales')
    await role('button', 'Delete workspace').click()
    await expect.element(text(/^Deleted “Sales”/)).toBeVisible()
    expect(sent.find(({ call }) => call.startsWith('DELETE'))).toMatchObject({ body: { name: 'Sales' } })
  },
  { answers: { 'GET /workspaces': list, 'DELETE /workspaces/*': null, 'GET /auth/me': me } },
)

story(
  'a deleted workspace is restored, and says when it is gone for good',
  () => <WorkspacesPage />,
  async ({ sent }) => {
    await expectWords(page.getByRole('region', { name: 'Deleted' }), 'Old')
    await role('button', 'Restore Old').click()
    await expect.element(text('Restored “Old”')).toBeVisible()
    expect(sent.map(({ call }) => call)).toContain('POST /workspaces/id-Old/restore')
  },
  {
    answers: {
      'GET /workspaces': {
        ...list,
        deleted: [workspace('Old', { restorableUntil: new Date(Date.now() + 3 * 86_400_000).toISOString() })],
      },
      'POST /workspaces/*/restore': {},
      'GET /auth/me': me,
    },
  },
)

story(
  'a workspace gets another name, which may not be empty',
  () => <WorkspacesPage />,
  async ({ sent }) => {
    await role('button', 'Actions for Research').click()
    await role('menuitem', 'Rename').click()
    await role('textbox', 'Name').fill('')
    await role('button', 'Rename').click()
    await expect.element(text('Enter a name.')).toBeVisible()
    await role('textbox', 'Name').fill('Lab ')
    await role('button', 'Rename').click()
    await expect.element(text('Workspace renamed')).toBeVisible()
    expect(sent.find(({ call }) => call === 'PUT /workspaces/id-Research')?.body).toEqual({ name: 'Lab' })
  },
  { answers: { 'GET /workspaces': list, 'PUT /workspaces/*': {}, 'GET /auth/me': me } },
)
