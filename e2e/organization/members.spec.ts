/** A member of a workspace whose role may not do everything. */
import type { Page } from '@playwright/test'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import { ask, flowName, messages, nodeOf, openCanvas, openChat, settings } from '../support/canvas.ts'
import { type CloudProduct, member, test } from '../support/cloud-server.ts'
import { draw, llm, start as startPart } from '../support/draw.ts'
import { chooseFlowFile, jsonFile } from '../support/files.ts'
import { chain, code, directReply, start } from '../support/flows.ts'
import { createStore } from '../support/stores.ts'
import { expect, expectAccessible, expectAccessibleInBothModes, toast } from '../support/test.ts'

async function signIn(page: Page): Promise<void> {
  await page.goto('/signin')
  await page.getByLabel('Email').fill(member.email)
  await page.getByLabel('Password').fill(member.password)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/app')
}

/** The paths that the page asked of the API and was refused, while the journey goes on. */
function refusalsOf(page: Page): string[] {
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  return refused
}

const createFlow = ({ asOwner }: CloudProduct, name: string, flow: FlowDocument) =>
  asOwner<Chatflow>('POST', '/chatflows', { name, flowData: JSON.stringify(flow), type: 'AGENTFLOW' })

/** A question to a model, with every part of it on the canvas. */
const drawn = ({ asOwner }: CloudProduct, baseUrl: string) =>
  draw({ get: (path) => asOwner('GET', path) }, [startPart(), llm(baseUrl)])

const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })

test('a member who may only view agent flows sees them, and is refused nothing behind their back', async ({
  page,
  product,
  model,
}) => {
  await product.allow('agentflows:view')
  const { id } = await createFlow(product, 'Owned', await drawn(product, model.baseUrl))
  const refused = refusalsOf(page)
  await signIn(page)
  await expect(menu(page).getByRole('link')).toHaveText(['Langflow', 'Triggers', 'Files', 'Account'])
  await page.goto('/agentflows')
  await expect(page.getByRole('link', { name: 'Owned' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'New agent flow' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Actions for Owned' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Messages', 'Export'])
  await page.keyboard.press('Escape')

  await openCanvas(page, id)
  await nodeOf(page, 'LLM').click()
  await expect(settings(page, 'LLM').getByRole('textbox', { name: 'Model name' })).toHaveValue('scripted')
  await expect(settings(page, 'LLM')).toContainText(
    'You need the permission “Credentials: View” to choose a credential.',
  )
  await expect(page.getByText('View only', { exact: false }).first()).toHaveAttribute('title', /“Agentflows: Update”/)
  for (const name of ['Save', 'Publish', 'Describe what you want'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await expect(flowName(page)).not.toBeEditable()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Versions',
    'Messages',
    'Outline',
    'Auto-layout',
    'Export to a file',
    'Keyboard shortcuts',
  ])
  await page.keyboard.press('Escape')
  await expectAccessibleInBothModes(page)
  await page.keyboard.press('Control+s')
  await expect(toast(page, /You need the permission “Agentflows: Update”/)).toBeVisible()

  await openChat(page)
  await ask(page, 'May I?')
  await expect(messages(page)).toContainText('You said: May I?')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Actions for version 1' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['View'])
  await expect(page).toHaveURL(`/v2/agentcanvas/${id}`)
  expect(refused).toEqual([])
})

test('a member’s monitor shows the triggers of the flows that they may see, and offers what they may do', async ({
  page,
  product,
}) => {
  await product.allow('agentflows:view')
  const { id: flowId } = await createFlow(product, 'Owned', chain(start(), code('throw new Error("no yarn left")')))
  const settingsOf = { kind: 'webhook', input: { mode: 'payload' } }
  const trigger = await product.asOwner<Trigger>('POST', '/triggers', { flowId, name: 'Pushes', settings: settingsOf })
  await product.asOwner('POST', `/triggers/${trigger.id}/run`, {})
  const refused = refusalsOf(page)
  await signIn(page)
  await page.goto('/triggers')
  await expect(page.getByRole('row', { name: /Pushes Owned/ })).toContainText('Failed')
  await expect(page.getByRole('button', { name: /New|Limits/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Actions for Pushes' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Open'])
  await page.getByRole('menuitem', { name: 'Open' }).click()
  await page
    .getByRole('region', { name: 'Deliveries' })
    .getByRole('button', { name: /Failed/ })
    .click()
  await expect(page.getByRole('link', { name: 'View run' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Replay|Run now|Pause/ })).toHaveCount(0)
  await page.goto('/triggers/failed')
  await expect(page.getByRole('list', { name: 'Failed deliveries' })).toContainText('no yarn left')
  await expect(page.getByRole('checkbox')).toHaveCount(0)

  expect(refused).toEqual([])

  // The page knows of a smaller role with the next sign-in, the server at once.
  await product.allow('variables:view')
  await page.goto('/app')
  await expect(page.getByText('There are no flows that you can view yet.')).toBeVisible()
  await expect(page).toHaveURL('/app')
})

test('members who cannot view flows see an explanation in place of triggers', async ({ page, product }) => {
  await product.allow('variables:view')
  const refused = refusalsOf(page)
  await signIn(page)
  await expect(menu(page).getByRole('link')).toHaveText(['Triggers', 'Variables', 'Account'])
  for (const path of ['/triggers', '/triggers/failed', '/triggers/31f8e1d1-1111-4111-8111-000000000001']) {
    await page.goto(path)
    await expect(page.getByText('Ask an organization admin for the permission “Agentflows: View”.')).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  await expectAccessible(page)
  await page.goto('/agentflows')
  await expect(page).toHaveURL('/unauthorized')
  expect(refused).toEqual([])
})

test('a member who may make agent flows imports a flow, and needs another permission for the file of a workspace', async ({
  page,
  product,
}) => {
  await product.allow('agentflows:view', 'agentflows:create')
  await signIn(page)
  const refused = refusalsOf(page)
  await chooseFlowFile(page, jsonFile('ExportData.json', { Variable: [] }))
  await expect(toast(page, /You need the permission “Workspaces: Import”/)).toBeVisible()
  await chooseFlowFile(page, jsonFile('Brought Agents.json', chain(start(), directReply('Hello'))))
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await expect(toast(page, 'Imported “Brought”')).toBeVisible()
  expect(refused).toEqual([])
})

test('a member who works with document stores only has a query judged by a chat model', async ({
  page,
  product,
  model,
}) => {
  await product.allow('documentStores:view')
  const api = {
    get: <T>(path: string) => product.asOwner<T>('GET', path),
    post: <T>(path: string, body: unknown) => product.asOwner<T>('POST', path, body),
  }
  const { storeId } = await createStore(api, 'Loom care', 'Looms are oiled on the first Monday of each month.')
  const refused = refusalsOf(page)
  await signIn(page)
  await page.goto(`/document-stores/query/${storeId}`)
  await page.getByRole('textbox', { name: 'Query' }).fill('When are looms oiled?')
  await page.getByText('Search settings').click()
  await page.getByRole('combobox', { name: 'Reranker' }).selectOption({ label: 'Chat model as judge' })
  await page.getByRole('combobox', { name: 'Chat model' }).selectOption('chatOpenAICustom')
  await page.getByRole('textbox', { name: 'Model name' }).fill('scripted')
  await page.getByRole('textbox', { name: 'Base path' }).fill(model.baseUrl)
  model.reply({ text: '{"scores": [9]}' })
  await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click()
  const hit = page.getByRole('region', { name: 'Keyword' }).getByRole('listitem')
  await expect(hit).toContainText('Looms are oiled')
  await expect(hit.getByTitle('Score')).toHaveText('0.900')
  expect(refused).toEqual([])
})
