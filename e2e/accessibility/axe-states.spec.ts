/** No state that a page passes through breaks a rule of axe, in light and in dark. */
import type { Page } from '@playwright/test'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { lastRun } from '../support/api.ts'
import {
  approvalRequest,
  ask,
  chat,
  flowName,
  messages,
  nodeOf,
  nodes,
  openCanvas,
  openChat,
  outputOf,
  settings,
  surface,
} from '../support/canvas.ts'
import { draw, drawApproval, guardedAgent, human, llm, practice, reply, start } from '../support/draw.ts'
import { fullHome } from '../support/layout/full-home.ts'
import { gate } from '../support/model-server.ts'
import { expect, expectAccessibleInBothModes, holdBack, setCheckbox, test, toast } from '../support/test.ts'

const BOTH = ['phone', 'desktop'] as const

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function more(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  // A click before the menu has the focus may come to nothing.
  await expect(page.getByRole('menu', { name: 'More' })).toBeFocused()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

const refuse = (page: Page, path: string) =>
  page.route(path, (route) => route.fulfill({ status: 500, json: { message: 'Out of yarn' } }))

test('home: loading, failed, at the first visit, and full', async ({ page }) => {
  const arrive = await holdBack(page, '**/api/v1/home')
  await page.goto('/app')
  await expect(page.getByRole('status', { name: 'Loading your flows' })).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
  await arrive()

  await refuse(page, '**/api/v1/home')
  await page.goto('/app')
  await expect(page.getByText('Couldn’t load your flows')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)

  await page.route('**/api/v1/home', (route) => route.fulfill({ json: { flows: [], waiting: [], failing: [] } }))
  await page.goto('/app')
  await expect(page.getByRole('region', { name: 'Start from a template' })).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)

  await page.route('**/api/v1/home', (route) => route.fulfill({ json: fullHome }))
  await page.goto('/app')
  await expect(page.getByRole('region', { name: 'Needs your attention' })).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
})

test('search without a result, a page that does not load, and a phone’s menu', async ({ page, context }) => {
  await page.goto('/app')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('loom of doom')
  await expect(page.getByText('No results found for loom of doom')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('navigation', { name: 'Main areas' }).getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Credentials' })).toBeVisible()
  await expectAccessibleInBothModes(page, ['phone'])
  await page.keyboard.press('Escape')

  // A page of its own: the console of this one must stay clean.
  const broken = await context.newPage()
  await broken.route('**/assets/variables-*.js', (route) => route.abort())
  await broken.goto('/variables')
  await expect(broken.getByRole('heading', { name: 'Couldn’t open this page' })).toBeVisible()
  await expectAccessibleInBothModes(broken, BOTH)
})

test('the list of runs: empty, with its filters, failed, and a run that is not there', async ({ page }) => {
  await page.goto('/executions?agentflowName=No+such+flow&state=ERROR')
  await expect(page.getByText('No executions match these filters')).toBeVisible()
  await expect(page.getByLabel('Status')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
  await page.route('**/api/v1/executions?*', (route) => route.fulfill({ json: { data: [], total: 0 } }))
  await page.goto('/executions')
  await expect(page.getByText('No executions yet')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
  await page.getByRole('button', { name: 'Retention' }).click()
  await expect(dialog(page, 'Keep runs and messages')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
  await refuse(page, '**/api/v1/executions?*')
  await page.goto('/executions')
  await expect(page.getByText('Couldn’t load executions')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
  await page.goto(`/executions/${crypto.randomUUID()}`)
  await expect(page.getByText('Execution not found')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
})

test('a run that failed, one that waits, one that goes again, and two compared', async ({ page, api, model }) => {
  const failing = await api.createFlow('Axe fails', await draw(api, [start(), llm(model.baseUrl, 'Weaver')]))
  model.reply({ error: { status: 400, message: 'The thread broke' } })
  await api.post(`/prediction/${failing.id}`, { question: 'Weave' }).catch(() => {})
  const waiting = await api.createFlow('Axe waits', await drawApproval(api, model.baseUrl))
  await api.post(`/internal-prediction/${waiting.id}`, { question: 'A headline' })
  await page.goto('/executions?agentflowName=Axe')
  await setCheckbox(page.getByRole('checkbox').nth(1), true)
  await expect(page.getByRole('button', { name: /^Delete/ })).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)

  await page.goto(`/executions/${(await lastRun(api, waiting.id)).id}`)
  await expect(page.getByRole('group', { name: 'Editor needs your approval' }).first()).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)

  await page.goto(`/executions/${(await lastRun(api, failing.id)).id}`)
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await steps.getByRole('button', { name: /Weaver/ }).click()
  await expect(page.getByRole('region', { name: 'Step Weaver' })).toContainText('The thread broke')
  await expectAccessibleInBothModes(page, BOTH)
  await page.getByRole('button', { name: 'Replay from here' }).click()
  await expect(dialog(page, 'Replay from Weaver').getByRole('textbox')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('link', { name: 'Compare with original' }).click()
  await expect(page.getByRole('region', { name: 'Answers' })).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
})

test('the settings of every node of an agent flow', async ({ page, api }) => {
  test.slow()
  const types = (await api.get<ComponentDefinition[]>('/nodes')).filter(
    ({ category, name }) => category === 'Agent Flows' && name !== 'startAgentflow',
  )
  const parts = types.map(({ name, label }, at) => ({
    name,
    label: `${at} ${label}`,
    at: [400 * (at % 5), 400 + 300 * Math.floor(at / 5)] as [number, number],
  }))
  const { id } = await api.createFlow('Axe nodes', await draw(api, [start(), ...parts], []))
  await openCanvas(page, id)
  await expect(nodes(page)).toHaveCount(types.length + 1)
  for (const label of ['Start', ...parts.map((part) => part.label)])
    await test.step(label, async () => {
      await nodeOf(page, label).focus()
      await page.keyboard.press('Enter')
      await expect(settings(page, label).getByRole('tabpanel')).not.toBeEmpty()
      await expect(settings(page, label).getByRole('status', { name: /Loading/ })).toHaveCount(0)
      await expectAccessibleInBothModes(page, ['desktop'], '[aria-label=Details]')
      await page.keyboard.press('Escape')
    })
})

test('a Start node with a form, a schedule, and a webhook', async ({ page, api }) => {
  const { id } = await api.createFlow('Axe starts', await draw(api, [start(), reply('Hello')]))
  await openCanvas(page, id)
  await nodeOf(page, 'Start').click()
  const type = settings(page, 'Start').getByRole('combobox', { name: 'Input type' })
  for (const [choice, shown] of [
    ['Form input', settings(page, 'Start').getByRole('textbox', { name: /Form title/ })],
    ['Schedule input', settings(page, 'Start').getByRole('status', { name: 'Next runs' })],
    [
      'Webhook trigger',
      settings(page, 'Start')
        .getByText(/signature/i)
        .first(),
    ],
  ] as const) {
    await type.selectOption({ label: choice })
    await expect(shown).toBeVisible()
    await expectAccessibleInBothModes(page, BOTH)
    await page.setViewportSize({ width: 1400, height: 900 })
  }
})

test('what opens over the canvas: tools, searches, questions and dialogs', async ({ page, context, api }) => {
  test.slow()
  const flow = await draw(api, [start(), practice('Middle'), reply('Hello', 'End')])
  const { id } = await api.createFlow('Axe canvas', flow)
  const search = dialog(page, 'Add a node')
  const field = page.getByRole('combobox', { name: 'Search nodes to add' })
  const leave = () => page.getByRole('link', { name: 'All agent flows' }).click()
  const askToLeave = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const states: [state: string, open: () => Promise<unknown>, shown: () => Promise<unknown>][] = [
    [
      'tools of a node and of a connection',
      async () => {
        await nodeOf(page, 'Middle').click()
        await page.getByRole('group', { name: 'From Start to Middle' }).hover()
      },
      () => expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible(),
    ],
    [
      'what fits an output',
      () => outputOf(page, 'Middle').click(),
      () => expect(search.getByRole('option').first()).toBeVisible(),
    ],
    [
      'no node found',
      async () => {
        await surface(page).dblclick({ position: { x: 60, y: 560 } })
        await field.fill('loom of doom')
      },
      () => expect(search.getByRole('option')).toHaveCount(0),
    ],
    [
      'connect by keyboard',
      async () => {
        await nodeOf(page, 'Start').focus()
        await page.keyboard.press('Space')
        await page.keyboard.press('c')
      },
      () => expect(dialog(page, 'Connect Start to…')).toBeVisible(),
    ],
    [
      'the menu of the flow',
      () => page.getByRole('button', { name: 'More', exact: true }).click(),
      () => expect(page.getByRole('menuitem', { name: 'Run limits' })).toBeVisible(),
    ],
    [
      'the menu of the save button',
      () => page.getByRole('button', { name: 'More save options' }).click(),
      () => expect(page.getByRole('menuitem', { name: /publish/ })).toBeVisible(),
    ],
    [
      'save with a note',
      async () => {
        await page.getByRole('button', { name: 'More save options' }).click()
        await page.getByRole('menuitem', { name: /note/ }).click()
      },
      () => expect(dialog(page, 'Save with a note')).toBeVisible(),
    ],
    [
      'save as a template',
      () => more(page, 'Save as template'),
      () => expect(page.getByRole('dialog').getByLabel('Use cases')).toBeVisible(),
    ],
    [
      'a version',
      async () => {
        await more(page, 'Versions')
        await page.getByRole('button', { name: 'Version 1', exact: true }).click()
      },
      () => expect(page.getByRole('dialog').getByRole('combobox', { name: 'Compare with' })).toBeVisible(),
    ],
  ]
  await openCanvas(page, id)
  for (const [state, open, shown] of states)
    await test.step(state, async () => {
      await open()
      await shown()
      await expectAccessibleInBothModes(page)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

  await test.step('a refused save, and leaving', async () => {
    await refuse(page, `**/api/v1/chatflows/${id}`)
    await flowName(page).fill('Mine')
    await page.keyboard.press('Control+s')
    await expect(toast(page, /Couldn.t save the flow/)).toBeVisible()
    await expectAccessibleInBothModes(page)
    await page.unroute(`**/api/v1/chatflows/${id}`)
    await leave()
    await expect(askToLeave).toBeVisible()
    await expectAccessibleInBothModes(page, BOTH)
    await askToLeave.getByRole('button', { name: 'Keep editing' }).click()
  })

  await test.step('somebody else saved', async () => {
    const other = await context.newPage()
    await openCanvas(other, id)
    await flowName(other).fill('Theirs')
    await other.keyboard.press('Control+s')
    await expect(other.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
    await other.close()
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('alertdialog', { name: 'Someone saved a newer version' })).toBeVisible()
    await expectAccessibleInBothModes(page, BOTH)
  })
})

test('the chat of the canvas: working, failed, stopped, with its steps, and with a form', async ({
  page,
  api,
  model,
}) => {
  test.slow()
  const flow = await draw(api, [start(), llm(model.baseUrl, 'Weaver')])
  const { id } = await api.createFlow('Axe chat', flow)
  const [rest, never] = [gate(), gate()]
  model.reply(
    { text: ['Still ', 'here.'], afterFirst: rest.opened },
    { error: { status: 400, message: 'The thread broke' } },
    { text: ['Once ', 'more'], afterFirst: never.opened },
  )
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'Are you there?')
  await expect(messages(page)).toContainText('Still')
  await expectAccessibleInBothModes(page)
  rest.open()
  await expect(messages(page)).toContainText('Still here.')
  await messages(page).getByText('2 steps').click()
  await expect(messages(page).getByText('View run')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await ask(page, 'And now?')
  await expect(messages(page)).toContainText('The thread broke')
  await expectAccessibleInBothModes(page)
  await ask(page, 'Again')
  await expect(messages(page)).toContainText('Once')
  await chat(page).getByRole('button', { name: /^Stop/ }).click()
  await expect(messages(page)).toContainText('Stopped.')
  never.open()
  await expectAccessibleInBothModes(page)
  await page.route('**/internal-chatmessage/**', (route) =>
    route.fulfill({ status: 500, json: { message: 'Out of yarn' } }),
  )
  await page.reload()
  await openChat(page)
  await expect(messages(page)).toContainText('Couldn’t load the conversation')
  await expectAccessibleInBothModes(page)

  const field = {
    type: 'options',
    label: 'Colour',
    name: 'colour',
    addOptions: [{ option: 'Red' }, { option: 'Blue' }],
  }
  const formInputTypes = [field, { type: 'boolean', label: 'Urgent', name: 'urgent' }]
  const asking = start({
    startInputType: 'formInput',
    formTitle: 'An order',
    formDescription: 'Of cloth.',
    formInputTypes,
  })
  const form = await api.createFlow('Axe form', await draw(api, [asking, reply('Hello')]))
  await openCanvas(page, form.id)
  await openChat(page)
  await expect(chat(page).getByRole('heading', { name: 'An order' })).toBeVisible()
  await expectAccessibleInBothModes(page)
})

test('a tool that waits for approval, declined with a comment', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Axe tools', await draw(api, [start(), guardedAgent(model.baseUrl)]))
  model.reply({ toolCalls: [{ name: 'calculator', arguments: { input: '6*7' } }] }, { text: 'I may not.' })
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'How much?')
  const card = approvalRequest(page, 'Clerk')
  await card.getByText('JSON').first().click()
  await expectAccessibleInBothModes(page)
  await card.getByRole('textbox').first().fill('Not today')
  await card.getByRole('button', { name: 'Decline' }).click()
  await expect(messages(page)).toContainText('I may not.')
  await expectAccessibleInBothModes(page)
})

test('the canvas of a phone, with its sheets', async ({ page, api }) => {
  const { id } = await api.createFlow(
    'Axe phone',
    await draw(api, [start(), human('Go on?', 'Gate'), reply('', 'Silent')]),
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await openCanvas(page, id)
  await expectAccessibleInBothModes(page, ['phone'])
  await page.getByRole('button', { name: 'Add a node' }).click()
  await expect(dialog(page, 'Add a node').getByRole('searchbox')).toBeVisible()
  await expectAccessibleInBothModes(page, ['phone'])
  await page.keyboard.press('Escape')
  await nodeOf(page, 'Gate').click()
  const sheet = dialog(page, 'Details')
  await expect(settings(page, 'Gate')).toBeVisible()
  await expectAccessibleInBothModes(page, ['phone'])
  for (const tab of ['Chat', 'Checklist', 'Outline']) {
    await sheet.getByRole('tab', { name: tab }).click()
    await expect(sheet.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
    await expectAccessibleInBothModes(page, ['phone'])
  }
  await sheet.getByRole('button', { name: 'Close panel' }).click()
  await more(page, 'Versions')
  await expect(page.getByRole('list', { name: 'Versions, newest first' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInBothModes(page, ['phone'])
  await page.keyboard.press('Escape')
  for (const item of ['Run limits', 'Share', 'Describe what you want', 'Keyboard shortcuts']) {
    await more(page, item)
    await expect(dialog(page, item)).toBeVisible()
    await expectAccessibleInBothModes(page, ['phone'])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('sharing, with everything unfolded', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Axe share', await draw(api, [start(), llm(model.baseUrl)]))
  await api.put(`/chatflows/${id}`, { callers: 'everyone' })
  await openCanvas(page, id)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const panel = dialog(page, 'Share')
  await expect(panel.getByRole('radio', { name: 'Everyone' })).toBeChecked()
  for (const who of ['Members only', 'API keys', 'Certain sites', 'Everyone']) {
    await panel.getByText(who, { exact: true }).first().click()
    await expectAccessibleInBothModes(page, BOTH)
  }
  for (const folded of await panel.locator('summary').all()) await folded.click()
  await expectAccessibleInBothModes(page, BOTH)
  await panel.getByText('Set how long a call may be').click()
  await expect(panel.getByLabel('Characters')).toBeVisible()
  await panel.getByText('Limit calls per caller').click()
  await expect(panel.getByLabel('Within (seconds)')).toBeVisible()
  await expectAccessibleInBothModes(page, BOTH)
})
