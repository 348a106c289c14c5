import type { Role } from '#contract/organization/members.ts'
import { expect, expectWords, never, page, refusal, role, story, text, tick } from '../../workshop/story.tsx'
import { RolesPage } from './RolesPage.tsx'

const roleOf = (name: string, change: Partial<Role> = {}): Role => ({
  id: `id-${name}`,
  name,
  description: `About ${name}`,
  kind: 'workspace',
  builtIn: null,
  permissions: ['variables:view'],
  users: 0,
  ...change,
})

const roles = [roleOf('Member', { builtIn: 'member' as never }), roleOf('Editor', { users: 2 }), roleOf('Spare')]
const answers = { 'GET /roles': roles, 'GET /roles/permissions': ['variables:view', 'variables:create'] }

story(
  'roles that are loading say so',
  () => <RolesPage />,
  async () => {
    await expect.element(role('status', 'Loading roles')).toBeInTheDocument()
  },
  { answers: { 'GET /roles': never, 'GET /roles/permissions': never } },
)

story(
  'roles that could not load can be tried again, both calls together',
  () => <RolesPage />,
  async ({ sent }) => {
    await expectWords(role('alert'), 'Couldn’t load roles')
    await role('button', 'Try again').click()
    await expect
      .poll(() => sent.map(({ call }) => call).sort())
      .toEqual(['GET /roles', 'GET /roles', 'GET /roles/permissions', 'GET /roles/permissions'])
  },
  { answers: { ...answers, 'GET /roles': refusal(404, 'Not here') } },
)

story(
  'a built-in role is shown and duplicated, and never changed',
  () => <RolesPage />,
  async () => {
    await role('button', 'Actions for Member').click()
    await expect.element(role('menuitem', 'Show permissions')).toBeVisible()
    expect(role('menuitem', 'Edit').elements()).toEqual([])
    expect(role('menuitem', 'Delete').elements()).toEqual([])
    await role('menuitem', 'Show permissions').click()
    await expect.element(role('dialog', 'Member')).toBeVisible()
    await expectWords(role('dialog'), 'Built-in roles can’t be changed.')
    expect(
      role('term')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Variables'])
  },
  { answers },
)

story(
  'a role that people have says how many a change concerns',
  () => <RolesPage />,
  async ({ sent }) => {
    await role('button', 'Actions for Editor').click()
    await role('menuitem', 'Edit').click()
    await expect.element(text('2 people have this role. Changes apply at once.')).toBeVisible()
    await expect.element(text('For: Workspace. The kind of a role can’t be changed.')).toBeVisible()
    await role('textbox', 'Name').fill('')
    await role('button', 'Save').click()
    await expect.element(text('Enter a name.')).toBeVisible()
    await role('textbox', 'Name').fill('Author ')
    await role('button', 'Save').click()
    await expect.element(text('Role saved')).toBeVisible()
    expect(sent.find(({ call }) => call === 'PUT /roles/id-Editor')?.body).toEqual({
      name: 'Author',
      description: 'About Editor',
      permissions: ['variables:view'],
    })
  },
  { answers: { ...answers, 'PUT /roles/*': {} } },
)

story(
  'a copy has a name of its own',
  () => <RolesPage />,
  async ({ sent }) => {
    await role('button', 'Actions for Member').click()
    await role('menuitem', 'Duplicate').click()
    await expect.element(role('textbox', 'Name')).toHaveValue('Member (copy)')
    await role('button', 'Create').click()
    await expect
      .poll(() => sent.find(({ call }) => call === 'POST /roles')?.body)
      .toMatchObject({
        name: 'Member (copy)',
        kind: 'workspace',
      })
  },
  { answers: { ...answers, 'POST /roles': {} } },
)

story(
  'permissions that their maker lacks are shown and cannot be given',
  () => <RolesPage />,
  async () => {
    await role('button', 'New role').click()
    await expect.element(text(/A role can give only permissions that you have yourself/)).toBeVisible()
    await expect.element(role('checkbox', /^Variables: Delete/)).toBeDisabled()
    await expect.element(role('checkbox', /^Variables: View/)).not.toBeDisabled()
  },
  { answers },
)

story(
  'a role of another kind offers other permissions, and forgets those that it had',
  () => <RolesPage />,
  async () => {
    await role('button', 'New role').click()
    await tick(role('checkbox', /^Variables: View/))
    await page.getByLabelText('For').selectOptions('Organization')
    await expect.element(role('checkbox', /^Variables: View/)).not.toBeInTheDocument()
    await page.getByLabelText('For').selectOptions('Workspace')
    await expect.element(role('checkbox', /^Variables: View/)).not.toBeChecked()
  },
  { answers },
)
