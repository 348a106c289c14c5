import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Trigger, TriggerList } from '#contract/triggers/index.ts'
import type { Api } from '../support/api.ts'
import { nodeOf, openCanvas, save, settings } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { test } from '../support/fake-clock-server.ts'
import { chain, code, directReply, start as startNode } from '../support/flows.ts'
import { expect, expectAccessible, setCheckbox, toast } from '../support/test.ts'

const deliveries = (page: Page) => page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
const nextRuns = (page: Page) => page.getByRole('status', { name: 'Next runs' })

async function triggerOf(api: Api, flowId: string) {
  const { data } = await api.get<TriggerList>(`/triggers?flowId=${flowId}`)
  if (!data[0]) throw new Error('The flow has no trigger')
  return data[0]
}

/** What the run of the open delivery answered, here and in its steps. */
async function expectRun(page: Page, answer: string): Promise<void> {
  await expect(page.getByLabel('Response', { exact: true })).toContainText(answer)
  await page.getByRole('link', { name: 'View run' }).click()
  await page.getByRole('button', { name: /^Reply/ }).click()
  await expect(page.getByRole('region', { name: 'Step Reply' })).toContainText(answer)
  await expect(page.getByText('Started by').getByRole('link')).toHaveAttribute('href', /^\/triggers\//)
  await page.goBack()
}

test('a schedule is made, fires when its minute comes, once, and is replayed with another message', async ({
  page,
  api,
  product,
}) => {
  const { id: flowId } = await api.createFlow('Digest', await draw(api, [start(), reply('Digest of {{ question }}')]))
  await page.goto('/triggers')
  await page.getByRole('button', { name: 'New schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'New trigger' })
  await dialog.getByRole('combobox', { name: 'Flow', exact: true }).selectOption('Digest')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Morning digest')
  await dialog.getByLabel('Schedule type').selectOption('Cron expression')
  const cron = dialog.getByRole('textbox', { name: 'Cron expression' })
  await cron.fill('0 25 * * *')
  await expect(nextRuns(page)).toContainText('hour')
  await expect(nextRuns(page).getByRole('listitem')).toHaveCount(0)
  await cron.fill('30 2 * * SUN')
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin')
  await expect(nextRuns(page).getByRole('listitem')).toHaveCount(5)
  await expect(nextRuns(page)).toContainText('At 02:30, Sunday (Europe/Berlin)')
  await dialog.getByLabel('Input').selectOption('Message')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('the night')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Morning digest', level: 1 })).toBeVisible()
  await expect(page.getByText('No deliveries yet.')).toBeVisible()
  await expect(page.getByLabel('Message', { exact: true })).toHaveText('the night')

  const { nextDue } = await triggerOf(api, flowId)
  const due = new Date(nextDue ?? '')
  await product.minute(new Date(due.getTime() - 60_000))
  await product.minute(due)
  await product.minute(due)
  await expect(deliveries(page)).toHaveText([/Succeeded.*Schedule/])
  expect(new Date((await triggerOf(api, flowId)).nextDue ?? '').getTime()).toBeGreaterThan(due.getTime())

  await deliveries(page).getByRole('button').first().click()
  await expectRun(page, 'Digest of the night')

  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  const replay = page.getByRole('dialog', { name: 'Replay delivery' })
  const payload = replay.getByRole('textbox', { name: 'Payload' })
  await payload.fill('{ "question": 1 }')
  await expect(replay.getByText(/^question: /)).toBeVisible()
  await payload.fill('{ "question": "the evening" }')
  await replay.getByRole('button', { name: 'Replay', exact: true }).click()
  // The minute that fired is ahead of the replay, which came now.
  await expect(deliveries(page)).toHaveText([/Succeeded.*Schedule/, /Succeeded.*Replay/])
  await expectRun(page, 'Digest of the evening')

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('No runs start until you resume it.')).toBeVisible()
  await product.minute(new Date((await triggerOf(api, flowId)).nextDue ?? due.getTime() + 7 * 86_400_000))
  await page.getByRole('link', { name: 'All triggers' }).click()
  await expect(page.getByRole('row', { name: /Morning digest/ })).toContainText(/Paused.*Succeeded.*100%/)
  await page.getByRole('button', { name: 'Actions for Morning digest' }).click()
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  await expect(page.getByRole('row', { name: /Morning digest/ })).toContainText('Active')
  expect(await triggerOf(api, flowId)).toMatchObject({ succeeded: 2, dead: 0, skipped: 0 })
})

test('the canvas hears a request that curl sends, takes a field from it, and the monitor keeps what came', async ({
  page,
  api,
}) => {
  const flow = await draw(api, [start({ startInputType: 'webhookTrigger' }), reply('Seen: {{ question }}', 'Answer')])
  const { id: flowId } = await api.createFlow('Issues', flow)
  await openCanvas(page, flowId)
  await nodeOf(page, 'Start').click()
  const panel = settings(page, 'Start').getByRole('region', { name: 'Trigger' })
  const address = await panel.getByRole('textbox', { name: 'URL', exact: true }).inputValue()
  await panel.getByText('Try it from a terminal').click()
  await expect(panel.getByLabel('Command', { exact: true })).toContainText(address)
  await panel.getByRole('button', { name: 'Listen for a request' }).click()
  await expect(panel.getByText('Listening. Send a request to the URL.')).toBeVisible()
  const send = (body: object) => {
    const data = ['--data-raw', JSON.stringify(body)]
    return execFileSync('curl', ['-sS', '-X', 'POST', address, '-H', 'content-type: application/json', ...data], {
      encoding: 'utf8',
    })
  }
  send({ action: 'opened', issue: { number: 7, title: 'It rains in' } })
  const came = panel.getByRole('region', { name: 'Captured request' })
  await expect(came).toContainText('It rains in')
  await came.getByRole('button', { name: 'Expect issue.title' }).click()
  await came.getByRole('button', { name: 'Insert issue.title into the message' }).click()
  await expectAccessible(page, 'aside[aria-label=Details]')
  await expect(settings(page, 'Start').getByRole('textbox', { name: 'Message' })).toHaveText(
    'Webhook: body.issue.title',
  )
  await save(page)
  await nodeOf(page, 'Answer').click()
  const message = settings(page, 'Answer').getByRole('textbox', { name: 'Message' })
  await message.fill('')
  await message.pressSequentially('{{$webh')
  await expect(page.getByRole('option', { name: /\$webhook\.body\.issue\.title/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/triggers')

  expect(JSON.parse(send({ issue: { title: 'The roof leaks' } }))).toMatchObject({ text: 'Seen: The roof leaks' })
  expect(JSON.parse(send({ issue: { title: 5 } }))).toMatchObject({ field: 'body.issue.title' })
  await expect(page.getByRole('row', { name: /Issues/ })).toContainText('Rejected')
  await page
    .getByRole('row', { name: /Issues/ })
    .getByRole('link')
    .first()
    .click()
  await expect(deliveries(page)).toHaveText([/Rejected.*string/, /Succeeded/, /Succeeded/])
  await deliveries(page).nth(1).getByRole('button').first().click()
  await expect(page.getByLabel('Body', { exact: true })).toContainText('The roof leaks')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Rejected')
  await expect(deliveries(page)).toHaveCount(1)
  await expect(page).toHaveURL(/state=refused/)
})

test('a secret is shown once; who signs with it gets in, also with the one before it, and others do not', async ({
  page,
  api,
}) => {
  const { id: flowId } = await api.createFlow('Pushes', await draw(api, [start(), reply('Pushed')]))
  await page.goto('/triggers')
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'New trigger' })
  await dialog.getByRole('combobox', { name: 'Flow', exact: true }).selectOption('Pushes')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Pushes')
  await dialog.getByLabel('Authentication').selectOption('GitHub')
  await dialog.getByRole('button', { name: 'Create' }).click()

  const shown = page.getByRole('dialog', { name: /Secret for/ })
  const address = await shown.getByRole('textbox', { name: 'URL', exact: true }).inputValue()
  const takeSecret = async () => {
    const secret = await shown.getByRole('textbox', { name: 'Secret' }).inputValue()
    await shown.getByRole('button', { name: 'Done' }).click()
    return secret
  }
  const push = async (delivery: string, secret: string) => {
    const body = JSON.stringify({ ref: 'refs/heads/main', after: delivery })
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': delivery,
      'x-hub-signature-256': signature,
    }
    return (await fetch(address, { method: 'POST', body, headers })).status
  }
  const first = await takeSecret()
  await expect(page.getByText('stored, not shown')).toBeVisible()
  expect(await push('one', first)).toBe(200)
  expect(await push('one', first)).toBe(409)
  expect(await push('two', 'somebody else’s')).toBe(401)
  await page.getByRole('button', { name: 'Replace secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Generate secret' }).click()
  const second = await takeSecret()
  expect(second).not.toBe(first)
  await expect(page.getByText('The old secret stays valid too.')).toBeVisible()
  expect([await push('three', first), await push('four', second)]).toEqual([200, 200])
  await expect(deliveries(page)).toHaveText([/Succeeded/, /Succeeded/, /Rejected/, /Rejected/, /Succeeded/])
  await deliveries(page).last().getByRole('button').click()
  const headers = page.getByLabel('Headers', { exact: true })
  await expect(headers).toContainText('x-hub-signature-256: [redacted]')

  await page.getByRole('button', { name: 'Actions for Pushes' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted “Pushes”')).toBeVisible()
  await expect(page).toHaveURL('/triggers')
  expect(await push('five', second)).toBe(401)
  expect((await api.get<TriggerList>(`/triggers?flowId=${flowId}`)).total).toBe(0)
})

test('what triggers gave up stands in one list, where it is looked at and replayed together', async ({ page, api }) => {
  const broken = chain(startNode(), code('throw new Error("no yarn left")'))
  const settingsOf = { kind: 'schedule', cron: '0 9 * * *', input: { mode: 'text', text: 'the night' } }
  const failed = page.getByRole('list', { name: 'Failed deliveries' }).getByRole('listitem')
  await page.goto('/triggers')
  await page.getByRole('link', { name: 'Failed deliveries' }).click()
  await expect(page.getByRole('heading', { name: 'No failed deliveries' })).toBeVisible()
  await expectAccessible(page)

  const flowIds: string[] = []
  for (const name of ['Morning', 'Evening']) {
    const { id: flowId } = await api.createFlow(`Digest of the ${name}`, broken)
    const { id } = await api.post<Trigger>('/triggers', { flowId, name, settings: settingsOf })
    await api.post(`/triggers/${id}/run`, {})
    await expect(failed.filter({ hasText: name })).toHaveText(/1 attempt.*no yarn left/)
    flowIds.push(flowId)
  }
  await expect(failed).toHaveText([/Evening.*Digest of the Evening/, /Morning.*Digest of the Morning/])

  await setCheckbox(page.getByRole('checkbox', { name: 'Select the delivery of Morning' }), true)
  await expect(page.getByText('1 selected')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(failed.first()).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.getByRole('switch', { name: 'Dark mode' }).click()
  await expectAccessible(page)

  const flowData = JSON.stringify(chain(startNode(), directReply('Digest of {{ question }}')))
  for (const id of flowIds) await api.put(`/chatflows/${id}`, { flowData })
  await setCheckbox(page.getByRole('checkbox', { name: 'Select all' }), true)
  await page.getByRole('button', { name: 'Replay' }).click()
  await expect(toast(page, '2 deliveries replayed')).toBeVisible()
  await expect(failed).toHaveText([/Evening.*Replayed.*Succeeded/, /Morning.*Replayed.*Succeeded/])
  await expect(page.getByText('Select deliveries to replay.')).toBeVisible()

  await failed.last().getByRole('link', { name: 'Morning' }).click()
  await expect(page.getByRole('heading', { name: 'Morning', level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Deliveries' }).getByRole('alert')).toContainText('no yarn left')
  await page.goBack()
  await failed.last().getByRole('link', { name: 'Succeeded' }).click()
  await expect(page.getByLabel('Response', { exact: true })).toContainText('Digest of the night')

  await page.route('**/api/v1/trigger-deliveries/dead*', (route) =>
    route.fulfill({ status: 400, json: { message: 'Not now' } }),
  )
  await page.goto('/triggers/failed')
  await expect(page.getByText('Couldn’t load failed deliveries')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toHaveCount(2)

  await page.route('**/api/v1/trigger-deliveries/dead*', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '1')
    return route.continue({ url: url.href })
  })
  await page.reload()
  await expect(failed).toHaveText([/Evening/])
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(failed).toHaveText([/Evening/, /Morning/])
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden()
})
