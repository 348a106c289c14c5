/** What gives lasting power asks who is there, and then goes on with what the person did. */
import type { Page } from '@playwright/test'
import type { InviteChoices, SentInvitation } from '#contract/organization/members.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import { sessions } from '#db/schema/index.ts'
import { createTestClient } from '#worker/local/testing/client.ts'
import { account } from '../support/account.ts'
import { type Api, apiOf } from '../support/api.ts'
import { openCanvas } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { callAs, type OrganizationProduct, enterpriseTest as test } from '../support/organization.ts'
import { expect, expectAccessible, setCheckbox, toast } from '../support/test.ts'

// It begins with the start of a product of its own.
test.slow()

const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it’s you' })

/** As if the person had been away for an hour. */
const comeBackLater = ({ database }: OrganizationProduct) => database.update(sessions).set({ confirmedDate: null })

/** Adds Mia as a viewer. Returns the workspace. */
async function addMember(api: Api, { url }: OrganizationProduct): Promise<string> {
  const { workspaces } = await api.get<InviteChoices>('/account/invite/choices')
  const [{ id: workspaceId = '', roles = [] } = {}] = workspaces
  const roleId = roles.find(({ name }) => name === 'Viewer')?.id
  const email = 'mia@example.com'
  const { link } = await api.post<SentInvitation>('/account/invite', { email, workspaces: [{ workspaceId, roleId }] })
  const token = link?.split('token=')[1]
  const person = { token, name: 'Mia Reader', password: 'Read-only-9-bobbins' }
  await callAs(createTestClient(url), 'POST', '/account/invitation/accept', person)
  return workspaceId
}

async function prove(page: Page): Promise<void> {
  await proof(page).getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(proof(page)).toBeHidden()
}

test('a key, an invitation and a role ask who is there, and nothing that was entered is lost', async ({
  page,
  product,
}) => {
  await page.goto('/apikey')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Website')
  await form.getByRole('button', { name: 'Read', exact: true }).click()
  await comeBackLater(product)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(proof(page).getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form.getByLabel('Name')).toHaveValue('Website')
  await form.getByRole('button', { name: 'Create' }).click()
  await expectAccessible(page)
  await prove(page)
  await page.getByRole('dialog', { name: 'API key “Website”' }).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: /Website/ })).toBeVisible()

  await comeBackLater(product)
  await page.goto('/account?tab=users')
  await page.getByRole('button', { name: 'Invite' }).click()
  const invitation = page.getByRole('dialog', { name: 'Invite a person' })
  await invitation.getByLabel('Email').fill('mia@example.com')
  await invitation.getByRole('combobox', { name: /^Role in/ }).selectOption({ label: 'Viewer' })
  await invitation.getByLabel('Email').press('Enter')
  await prove(page)
  const link = page.getByRole('dialog', { name: 'Invitation link' })
  await expect(link.getByLabel('Link', { exact: true })).toHaveValue(/\/invite#token=/)

  await comeBackLater(product)
  await page.goto('/account?tab=roles')
  await page.getByRole('button', { name: 'New role' }).click()
  const role = page.getByRole('dialog', { name: 'New role' })
  await role.getByLabel('Name').fill('Toolsmith')
  await setCheckbox(role.getByRole('checkbox', { name: 'Tools', exact: true }), true)
  await role.getByLabel('Name').press('Control+Enter')
  await prove(page)
  await expect(toast(page, 'Role created')).toBeVisible()
})

test('a member’s role, a webhook’s secret and an MCP token ask who is there, and then are made', async ({
  page,
  product,
}) => {
  const api = apiOf(page, product.url)
  const workspaceId = await addMember(api, product)
  const { id: flowId } = await api.createFlow('Guarded', await draw(api, [start(), reply('Hello')]))
  const settings = { kind: 'webhook', input: { mode: 'payload' }, signature: 'github' }
  const trigger = await api.post<Trigger>('/triggers', { flowId, name: 'Pushes', settings })

  await page.goto(`/workspace-users/${workspaceId}`)
  await page.getByRole('button', { name: 'Actions for Mia Reader' }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  const role = page.getByRole('dialog', { name: 'Role of Mia Reader' })
  await role.getByLabel('Role', { exact: true }).selectOption('Editor')
  await comeBackLater(product)
  await role.getByRole('button', { name: 'Change' }).click()
  await prove(page)
  await expect(page.getByRole('row', { name: 'Mia Reader' })).toContainText('Editor')

  await page.goto(`/triggers/${trigger.id}`)
  await page.getByRole('button', { name: 'Set secret' }).click()
  await comeBackLater(product)
  await page.getByRole('dialog').getByRole('button', { name: 'Generate secret' }).click()
  await prove(page)
  const secret = page.getByRole('dialog', { name: /Secret for/ })
  await expect(secret.getByRole('textbox', { name: 'Secret' })).not.toHaveValue('')
  await secret.getByRole('button', { name: 'Done' }).click()

  await openCanvas(page, flowId)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const server = page.getByRole('dialog', { name: 'Share' }).getByRole('region', { name: 'MCP server' })
  await comeBackLater(product)
  await server.getByText('MCP server', { exact: true }).click()
  await prove(page)
  const token = server.getByRole('textbox', { name: 'MCP token' })
  await expect(token).not.toHaveValue('')
  const first = await token.inputValue()
  await comeBackLater(product)
  await server.getByRole('button', { name: 'New token' }).click()
  await prove(page)
  await expect(token).not.toHaveValue(first)
})
