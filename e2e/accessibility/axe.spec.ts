/** No page breaks a rule of axe, in light and in dark. */
import type { Page } from '@playwright/test'
import type { SessionUser } from '#contract/account/account.ts'
import { apiOf } from '../support/api.ts'
import {
  approvalRequest,
  ask,
  chat,
  dock,
  drawBox,
  messages,
  nodeOf,
  openCanvas,
  openChat,
  openSettings,
  surface,
} from '../support/canvas.ts'
import { draw, human, practice, reply, start } from '../support/draw.ts'
import { enterpriseTest } from '../support/organization.ts'
import { createStore } from '../support/stores.ts'
import { expect, expectAccessibleInBothModes, test } from '../support/test.ts'

const desktop = { width: 1400, height: 900 }
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

/** Opens each page, with the heading that it then has, on a desktop and on a phone. */
async function expectPagesAccessible(page: Page, pages: readonly (readonly [string, string | RegExp])[]) {
  for (const [path, title] of pages) {
    await test.step(path, async () => {
      await page.setViewportSize(desktop)
      await page.goto(path)
      await expect(heading(page, title)).toBeVisible()
      await expect(page.getByRole('status', { name: /Loading|Searching/ })).toHaveCount(0)
      await expectAccessibleInBothModes(page, ['desktop', 'phone'])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    })
  }
}

test('lists of flows, runs and triggers', async ({ page, api }) => {
  const { id: asking } = await api.createFlow('Accessible', await draw(api, [start(), human('Go on?'), reply('Hello')]))
  await api.post(`/internal-prediction/${asking}`, { question: 'Shown' })
  await expectPagesAccessible(page, [
    ['/app', /^Welcome/],
    ['/agentflows', 'Agentflows'],
    ['/chatflows', 'Chatflows'],
    ['/executions', 'Executions'],
    ['/triggers', 'Triggers'],
  ])
})

test('assistants and templates', async ({ page, api }) => {
  const details = JSON.stringify({ name: 'Seen' })
  const { id: assistantId } = await api.post<{ id: string }>('/assistants', { type: 'CUSTOM', details })
  await expectPagesAccessible(page, [
    ['/assistants', 'Assistants'],
    ['/assistants/custom', 'Custom assistants'],
    [`/assistants/custom/${assistantId}`, 'Assistant: Seen'],
    ['/assistants/openai', 'OpenAI and Azure assistants'],
    ['/marketplaces', 'Marketplace'],
    ['/v2/marketplace/support-triage', 'Support triage'],
    ['/marketplace/prompt-chaining', 'Prompt chaining'],
  ])
})

test('lists of assets, and pages that cannot be shown', async ({ page, api }) => {
  const variable = { name: 'seen_by_axe', value: '1', type: 'static' }
  const { id } = await api.post<{ id: string }>('/variables', variable)
  const key = await api.post<{ id: string }>('/apikey', { keyName: 'Seen', permissions: ['agentflows:view'] })
  await expectPagesAccessible(page, [
    ['/credentials', 'Credentials'],
    ['/variables', 'Variables'],
    ['/tools', 'Tools'],
    ['/tools?tab=mcp', 'Tools'],
    ['/apikey', 'API keys'],
    ['/files', 'Files'],
    ['/unauthorized', 'You don’t have access'],
    ['/no-such-page', 'Page not found'],
  ])
  // Other journeys begin without any.
  await api.delete(`/variables/${id}`)
  await api.delete(`/apikey/${key.id}`)
})

test('document stores, with chunks', async ({ page, api }) => {
  const { storeId, docId } = await createStore(api, 'Read by axe', 'Looms are oiled on Mondays.')
  await expectPagesAccessible(page, [
    ['/document-stores', 'Document stores'],
    [`/document-stores/${storeId}`, 'Read by axe'],
    [`/document-stores/${storeId}/plainText?id=${docId}`, /^Edit/],
    [`/document-stores/chunks/${storeId}/${docId}`, /^Chunks of/],
    [`/document-stores/vector/${storeId}`, 'Embeddings and search'],
    [`/document-stores/vector/${storeId}/${docId}`, 'Embeddings and search'],
    [`/document-stores/query/${storeId}?q=looms`, 'Try a query'],
  ])
})

test('a chunk that is edited', async ({ page, api }) => {
  const { storeId, docId } = await createStore(api, 'Edited by axe', 'Looms are oiled on Mondays.')
  await page.goto(`/document-stores/chunks/${storeId}/${docId}`)
  await page.getByRole('button', { name: /^Chunk 1 of/ }).click()
  await expect(page.getByRole('dialog').getByLabel('Text', { exact: true })).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('messages and leads of a flow', async ({ page, api }) => {
  const { id } = await api.createFlow('Accessible messages', await draw(api, [start(), reply('Hello')]))
  const leads = { status: true, name: true, email: true }
  await api.put(`/chatflows/${id}`, { chatbotConfig: JSON.stringify({ leads }) })
  const chatId = crypto.randomUUID()
  const asked = { question: 'Who is there?', chatId }
  const { chatMessageId: messageId } = await api.post<{ chatMessageId: string }>(`/prediction/${id}`, asked)
  await api.post('/feedback', { chatflowid: id, chatId, messageId, rating: 'THUMBS_UP' })
  await api.post('/leads', { chatflowid: id, chatId, name: 'Cy', email: 'cy@example.com' })
  await page.goto(`/v2/agentcanvas/${id}/messages`)
  await page.getByRole('link', { name: /Who is there/ }).click()
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('Good answer')
  await expectAccessibleInBothModes(page)
  await page.getByRole('link', { name: 'Leads' }).click()
  await expect(page.getByRole('table', { name: 'Leads' })).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('triggers, with deliveries', async ({ page, api }) => {
  const flow = await api.createFlow('Accessible trigger', await draw(api, [start(), reply('Hello')]))
  const webhook = { kind: 'webhook', signature: 'github', input: { mode: 'payload' } }
  const { id } = await api.post<{ id: string }>('/triggers', { flowId: flow.id, name: 'Pushes', settings: webhook })
  await api.post(`/triggers/${id}/run`, {})
  await page.goto('/triggers')
  await expect(page.getByRole('row', { name: /Pushes/ }).first()).toContainText('Succeeded')
  await expectAccessibleInBothModes(page)
  await page.goto(`/triggers/${id}`)
  await page
    .getByRole('region', { name: 'Deliveries' })
    .getByRole('button', { name: /Succeeded/ })
    .click()
  await expect(page.getByLabel('Response', { exact: true })).toContainText('Hello')
  await page.getByText('Try it from a terminal').click()
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: 'Replay' }).click()
  await expect(page.getByRole('textbox', { name: 'Payload' })).toBeVisible()
  await expectAccessibleInBothModes(page)
  await page.goto('/triggers')
  await page.getByRole('button', { name: 'New trigger' }).click()
  await expect(page.getByRole('status', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(5)
  await expectAccessibleInBothModes(page)
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('webhook')
  await page.getByText('Validation').click()
  await page.getByText('Reject requests without the expected fields').click()
  await page.getByRole('button', { name: 'Add body field' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Fix the following:' })).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('dialogs and menus', async ({ page }) => {
  for (const [path, button] of [
    ['/credentials', 'New credential'],
    ['/variables', 'New variable'],
    ['/apikey', 'New API key'],
  ] as const) {
    await test.step(path, async () => {
      await page.goto(path)
      await page.getByRole('button', { name: button }).first().click()
      if (path === '/credentials') {
        await expect(page.getByRole('dialog').getByRole('button', { name: /^OpenAI API/ })).toBeVisible()
        await expectAccessibleInBothModes(page)
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^OAuth2 API/ })
          .click()
      }
      await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeFocused()
      await expectAccessibleInBothModes(page)
    })
  }
  await page.goto('/app')
  await page.getByRole('button', { name: 'Switch app' }).click()
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible()
  await expectAccessibleInBothModes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await expectAccessibleInBothModes(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('canvas, settings, chat and execution', async ({ page, api }) => {
  const parts = [start(), practice(), reply('Said: {{ llmAgentflow_0 }}'), { name: 'stickyNoteAgentflow' }]
  const { id } = await api.createFlow(
    'Accessible canvas',
    await draw(
      api,
      [...parts],
      [
        [0, 1],
        [1, 2],
      ],
    ),
  )
  await openCanvas(page, id)
  await expectAccessibleInBothModes(page)
  await openChat(page)
  await ask(page, 'Hello')
  await expect(messages(page)).toContainText('3 steps')
  await nodeOf(page, 'Practice').click()
  await expectAccessibleInBothModes(page)
  await page.getByRole('tab', { name: 'Last run' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Last run' })).toContainText('Answer')
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: /^Checklist/ }).click()
  await expectAccessibleInBothModes(page)
  await surface(page).click({ position: { x: 40, y: 40 } })
  await page.keyboard.press('o')
  await expect(page.getByRole('list', { name: 'Nodes in running order' })).toBeVisible()
  await expectAccessibleInBothModes(page)

  await page.goto('/executions?agentflowName=Accessible+canvas')
  await page
    .getByRole('row', { name: /Accessible canvas/ })
    .first()
    .getByRole('link', { name: 'Hello' })
    .click()
  await expect(heading(page, 'Accessible canvas')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await page.getByText('Let anyone with the link view').click()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await page.goto(page.url().replace('/executions/', '/execution/'))
  await expect(heading(page, 'Accessible canvas')).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('each state of the canvas', async ({ page, api }) => {
  const flow = await draw(api, [start(), practice(), reply('Hello'), reply('', 'Silent')])
  const { id } = await api.createFlow('Accessible states', flow)
  const changed = await draw(api, [start(), practice('Other'), reply('Hello'), reply('', 'Silent')])
  await api.put(`/chatflows/${id}`, { flowData: JSON.stringify(changed) })
  await openCanvas(page, id)
  const tab = (name: string) => async () => {
    await nodeOf(page, 'Other').click()
    await dock(page).getByRole('tab', { name, exact: true }).click()
  }
  const menu = async (item: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const compare = async () => {
    await menu('Versions')
    await page.getByRole('button', { name: 'Actions for version 1' }).click()
    await page.getByRole('menuitem', { name: 'Compare with draft' }).click()
  }
  for (const [state, open, shown] of [
    ['find bar', () => page.keyboard.press('Control+f'), page.getByRole('search', { name: 'Find in the flow' })],
    [
      'node search',
      () => surface(page).click({ button: 'right', position: { x: 60, y: 500 } }),
      page.getByRole('dialog', { name: 'Add a node' }),
    ],
    [
      'menu of a node',
      () => nodeOf(page, 'Other').click({ button: 'right' }),
      page.getByRole('menu', { name: 'Node' }),
    ],
    [
      'menu of a connection',
      async () => {
        await page.getByRole('group', { name: 'From Start to Other' }).focus()
        await page.keyboard.press('Shift+F10')
      },
      page.getByRole('menu', { name: 'Connection' }),
    ],
    ['tools of several nodes', () => drawBox(page, 'Start', 'Reply'), page.getByRole('toolbar', { name: 'Selection' })],
    ['shortcuts', () => page.keyboard.press('?'), page.getByRole('dialog', { name: 'Keyboard shortcuts' })],
    ['settings', tab('Node'), page.getByRole('region', { name: 'Settings of Other' })],
    ['chat', tab('Chat'), chat(page).getByRole('textbox', { name: 'Question' })],
    ['checklist', tab('Checklist'), dock(page).getByRole('button', { name: /Silent.*Message/ })],
    ['outline', tab('Outline'), page.getByRole('list', { name: 'Nodes in running order' })],
    ['compare', compare, page.getByRole('complementary', { name: 'Changes' })],
  ] as const) {
    await test.step(state, async () => {
      await open()
      await expect(shown).toBeVisible()
      await expectAccessibleInBothModes(page)
      await page.keyboard.press('Escape')
    })
  }
})

test('the question box, with files and a refusal', async ({ page, api }) => {
  const { id } = await api.createFlow('Accessible files', await draw(api, [start(), practice(), reply('Hello')]))
  await openCanvas(page, id)
  await openChat(page)
  const attach = (name: string, mimeType: string) =>
    chat(page)
      .getByLabel('Files to attach')
      .setInputFiles({ name, mimeType, buffer: Buffer.from('Warp') })
  await attach('a note with a name that is longer than the chat is wide.md', 'text/markdown')
  await expect(chat(page).getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInBothModes(page)
  await attach('photo.png', 'image/png')
  await expect(chat(page).getByRole('alert')).toContainText('this flow doesn’t accept images.')
  await expectAccessibleInBothModes(page)
})

test('a run that waits, run from here, and how a node runs', async ({ page, api }) => {
  const flow = await draw(api, [start(), practice(), human('May it go out?', 'Gate'), reply('Sent')])
  const { id } = await api.createFlow('Accessible approval', flow)
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'Hello')
  await expect(approvalRequest(page, 'Gate')).toBeVisible()
  await expectAccessibleInBothModes(page)

  const gate = await openSettings(page, 'Gate')
  await gate.getByRole('tab', { name: 'Last run' }).click()
  await expect(gate.getByRole('button', { name: 'Proceed' })).toBeVisible()
  await expectAccessibleInBothModes(page)

  const node = await openSettings(page, 'Practice')
  await node.getByText('Execution', { exact: true }).click()
  await node.getByLabel('Retries').fill('many')
  await expect(node.getByText('Enter a whole number from 0 to 10.')).toBeVisible()
  await node.getByLabel('On failure').selectOption('Continue from the error output')
  await expectAccessibleInBothModes(page)
  await node.getByRole('tab', { name: 'Last run' }).click()
  await node.getByRole('button', { name: 'Replay…' }).click()
  await expect(page.getByRole('dialog', { name: 'Replay from Practice' }).getByRole('textbox')).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('containers, loops, and lists to choose from', async ({ page, api }) => {
  const condition = { name: 'conditionAgentAgentflow', label: 'Which' }
  const loop = { name: 'loopAgentflow', label: 'Again', inputs: { loopBackToNode: 'llmAgentflow_0-Practice' } }
  const each = { name: 'iterationAgentflow', label: 'Each' }
  const search = {
    name: 'retrieverAgentflow',
    label: 'Search',
    inputs: { retrieverKnowledgeDocumentStores: [{ documentStore: '' }] },
  }
  const flow = await draw(api, [start(), practice(), condition, loop, each, { ...search, at: [1300, 800] }])
  const { id } = await api.createFlow('Accessible parts', flow)
  await openCanvas(page, id)
  await expectAccessibleInBothModes(page)
  for (const label of ['Each', 'Which', 'Again', 'Search']) {
    const node = await openSettings(page, label)
    await expect(node.getByRole('tabpanel')).not.toBeEmpty()
    await expectAccessibleInBothModes(page)
  }
  await expect(page.getByRole('link', { name: 'Open document stores' })).toBeVisible()
})

test('versions, limits, and a flow from a description', async ({ page, api }) => {
  const flow = await draw(api, [start(), practice(), reply('One')])
  const { id } = await api.createFlow('Accessible versions', flow)
  const changed = await draw(api, [start(), reply('Two')])
  await api.put(`/chatflows/${id}`, { flowData: JSON.stringify(changed), versionNote: 'Shorter' })
  await api.post(`/chatflows/${id}/publish`, {})
  await openCanvas(page, id)
  const open = async (item: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  await open('Versions')
  await expect(page.getByRole('list', { name: 'Versions, newest first' }).getByRole('listitem')).toHaveCount(2)
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: 'Actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Compare with draft' }).click()
  await expect(page.getByRole('complementary', { name: 'Changes' })).toContainText('Practice')
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Actions for version 2' }).click()
  await page.getByRole('menuitem', { name: 'Edit note' }).click()
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('Shorter')
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Close: Versions' }).click()

  await open('Run limits')
  const limits = page.getByRole('dialog', { name: 'Run limits' })
  await limits.getByRole('group', { name: 'All flows of this workspace' }).getByLabel('Tokens').fill('many')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await expect(limits.locator('[aria-invalid=true]')).toBeFocused()
  await expectAccessibleInBothModes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('button', { name: 'Describe what you want' }).click()
  const describe = page.getByRole('dialog', { name: 'Describe what you want' })
  await describe.getByLabel('What should this flow do?').fill('Greet people')
  await describe.getByLabel('Model').selectOption('Practice model (no key)')
  await expectAccessibleInBothModes(page)
  await describe.getByRole('button', { name: 'Propose a flow' }).click()
  await expect(page.getByRole('dialog', { name: 'Proposed flow' })).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('axe finds nothing on the pages for anonymous visitors', async ({ page, context }) => {
  await context.clearCookies()
  await page.addInitScript(() => localStorage.removeItem('isAuthenticated'))
  for (const [path, title] of [
    ['/signin', 'Sign in'],
    ['/register', 'Sign in instead'],
    ['/setup', 'Sign in instead'],
  ] as const) {
    await page.goto(path)
    await expect(heading(page, title)).toBeVisible()
    await expectAccessibleInBothModes(page)
  }
})

enterpriseTest('pages of the organization', async ({ page, product }) => {
  enterpriseTest.slow()
  const { activeWorkspaceId } = await apiOf(page, product.url).get<SessionUser>('/auth/me')
  for (const [path, title] of [
    ['/admin', 'Administration'],
    ['/users', 'Users'],
    ['/roles', 'Roles'],
    ['/sso-config', 'Single sign-on'],
    ['/login-activity', 'Login activity'],
    ['/logs', 'Logs'],
    ['/workspaces', 'Workspaces'],
    [`/workspace-users/${activeWorkspaceId}`, /^People in/],
    ['/user-profile', 'Update profile'],
  ] as const) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
      await expectAccessibleInBothModes(page)
    })
  }
  await page.goto('/account')
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    await expect(page.getByRole('tabpanel', { name: await tab.innerText() })).not.toBeEmpty()
    await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
    await expectAccessibleInBothModes(page)
  }
})
