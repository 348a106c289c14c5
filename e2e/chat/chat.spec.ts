import { ask, chat, messages, nodeOf, openCanvas, openChat, settings } from '../support/canvas.ts'
import { draw, llm, reply, start } from '../support/draw.ts'
import { gate } from '../support/model-server.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

const stop = 'Stop run'

test('the answer streams, nodes light up, steps and cost are told', async ({ page, api, model }) => {
  const flow = await draw(api, [start(), llm(model.baseUrl, 'Weaver')])
  const { id } = await api.createFlow('Streams', flow)
  const rest = gate()
  model.reply({ text: ['Warp ', 'and ', 'weft.'], afterFirst: rest.opened })
  await openCanvas(page, id)
  await openChat(page)
  await expect(messages(page)).toContainText('Send a message to run the current draft.')
  await ask(page, 'What is cloth made of?')

  await expect(messages(page)).toContainText('Warp')
  await expect(messages(page)).toContainText('Weaver…')
  await expect(nodeOf(page, 'Start').locator('[data-status=FINISHED]')).toBeVisible()
  await expect(nodeOf(page, 'Weaver').locator('[data-status=INPROGRESS]')).toBeVisible()
  await expect(messages(page)).not.toContainText('weft')

  rest.open()
  await expect(messages(page)).toContainText('Warp and weft.')
  await expect(nodeOf(page, 'Weaver').locator('[data-status=FINISHED]')).toBeVisible()
  await expect(messages(page)).toContainText(/\d+ tokens/)
  await messages(page).getByText('2 steps').click()
  await expect(messages(page).getByRole('listitem')).toHaveText([/Start.*finished.*ms/, /Weaver.*finished.* m?s/])

  await nodeOf(page, 'Weaver').click()
  await page.getByRole('tab', { name: 'Last run' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Last run' })).toContainText('Warp and weft.')

  await page.reload()
  await openChat(page)
  await expect(messages(page)).toContainText(/\d+ tokens/)
  await messages(page).getByText('2 steps').click()
  await expect(messages(page).getByRole('listitem')).toHaveText([/Start.*finished/, /Weaver.*finished/])
  await expect(messages(page).getByText('View run')).toBeVisible()
})

test('a run is stopped, and the model is no longer asked', async ({ page, api, model }) => {
  const { id } = await api.createFlow(
    'Stopped',
    await draw(api, [start(), llm(model.baseUrl, 'Weaver'), reply('never')]),
  )
  const never = gate()
  model.reply({ before: never.opened })
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'Take your time')
  await model.received(1)
  await chat(page).getByRole('button', { name: stop }).click()
  await expect(messages(page)).toContainText('Stopped.')
  await expect(messages(page)).not.toContainText('never')
  await expect.poll(() => model.requests[0]?.cancelled).toBe(true)
  await expect(nodeOf(page, 'Weaver').locator('[data-status=INPROGRESS]')).toHaveCount(0)
  await expect(chat(page).getByRole('button', { name: 'Send' })).toBeVisible()
})

test('a provider’s own error is shown, and the question can be asked again', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Retried', await draw(api, [start(), llm(model.baseUrl, 'Weaver')]))
  model.reply(
    { error: { status: 401, message: 'Wrong key' } },
    { error: { status: 400, message: 'The model "scripted" ran out of yarn' } },
    { text: 'Found more yarn.' },
  )
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'Go on')
  await expect(messages(page)).toContainText('Wrong key')
  const credentials = messages(page).getByRole('link', { name: 'Check credentials' })
  await expect(credentials).toHaveAttribute('href', '/credentials')
  await messages(page).getByRole('button', { name: 'Try again' }).click()
  await expect(messages(page)).toContainText('The model "scripted" ran out of yarn')
  await expect(credentials).toBeHidden()
  await expect(nodeOf(page, 'Weaver').locator('[data-status=ERROR]')).toBeVisible()
  await messages(page).getByRole('button', { name: 'Open Weaver' }).click()
  await expect(settings(page, 'Weaver')).toBeVisible()
  await openChat(page)

  await messages(page).getByRole('button', { name: 'Try again' }).click()
  await expect(messages(page)).toContainText('Found more yarn.')
  await expect(messages(page).getByText('Go on')).toHaveCount(1)
  await expect(messages(page)).not.toContainText('ran out of yarn')

  await page.reload()
  await openChat(page)
  await messages(page).getByRole('button', { name: 'Open Weaver' }).last().click()
  await expect(settings(page, 'Weaver')).toBeVisible()
})

test('a reload in the middle of an answer streams it on', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Reloaded', await draw(api, [start(), llm(model.baseUrl, 'Weaver')]))
  const [rest, end] = [gate(), gate()]
  model.reply({ text: ['Still ', 'here.'], afterFirst: rest.opened, afterLast: end.opened })
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'Are you there?')
  await expect(messages(page)).toContainText('Still')

  await page.reload()
  const weaver = nodeOf(page, 'Weaver').locator('[data-status]')
  await expect(weaver).toHaveAttribute('data-status', 'INPROGRESS')
  await openChat(page)
  await expect(messages(page)).toContainText('Are you there?')
  await expect(chat(page).getByRole('button', { name: stop })).toBeVisible()
  await expect(messages(page)).toContainText('Still')
  await expect(messages(page)).toContainText('Weaver…')
  rest.open()
  await expect(messages(page)).toContainText('Still here.')
  await expect(chat(page).getByRole('button', { name: stop })).toBeVisible()
  end.open()
  await expect(chat(page).getByRole('button', { name: stop })).toBeHidden()
  await expect(weaver).toHaveAttribute('data-status', 'FINISHED')
  expect(model.requests).toHaveLength(1)
})

test('the conversation is kept, remembered by the model, and cleared', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Remembered', await draw(api, [start(), llm(model.baseUrl, 'Weaver')]))
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'My name is Ada')
  await expect(messages(page)).toContainText('You said: My name is Ada')
  await ask(page, 'Who am I?')
  await expect(messages(page)).toContainText('You said: Who am I?')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('My name is Ada')

  await page.reload()
  await openChat(page)
  await expect(messages(page)).toContainText('You said: Who am I?')
  await chat(page).getByRole('button', { name: 'New session' }).click()
  await expect(messages(page)).toContainText('Send a message to run the current draft.')
  await ask(page, 'Who am I here?')
  await expect(messages(page)).toContainText('You said: Who am I here?')
  expect(JSON.stringify(model.requests[2]?.body.messages)).not.toContain('Ada')

  await chat(page).getByRole('button', { name: 'Clear chat' }).click()
  await page.getByRole('alertdialog', { name: 'Clear this chat?' }).getByRole('button', { name: 'Clear chat' }).click()
  await expect(messages(page)).toContainText('Send a message to run the current draft.')

  await ask(page, 'Who am I now?')
  await expect(messages(page)).toContainText('You said: Who am I now?')
  expect(JSON.stringify(model.requests[3]?.body.messages)).not.toContain('here')
})

test('a form takes the place of the question', async ({ page, api, model }) => {
  const form = {
    startInputType: 'formInput',
    formTitle: 'Order cloth',
    formDescription: 'We weave to measure.',
    formInputTypes: [
      { type: 'string', label: 'Colour', name: 'colour', addOptions: [] },
      { type: 'number', label: 'Metres', name: 'metres', addOptions: [] },
      { type: 'options', label: 'Weave', name: 'weave', addOptions: [{ option: 'Twill' }, { option: 'Satin' }] },
      { type: 'boolean', label: 'Express', name: 'express', addOptions: [] },
    ],
  }
  const order = '{{ $form.metres }} m of {{ $form.colour }} {{ $form.weave }}, express: {{ $form.express }}'
  const { id } = await api.createFlow('Order form', await draw(api, [start(form), reply(order)]))
  await openCanvas(page, id)
  await openChat(page)
  await expect(chat(page)).toContainText('We weave to measure.')
  await chat(page).getByLabel('Colour').fill('indigo')
  await chat(page).getByLabel('Metres').fill('12')
  await chat(page).getByLabel('Weave').selectOption('Satin')
  await chat(page).getByText('Express').click()
  await chat(page).getByRole('button', { name: 'Send' }).click()
  await expect(messages(page)).toContainText('12 m of indigo Satin, express: true')
  expect(model.requests).toHaveLength(0)
})

test('what is on the canvas is saved before it runs', async ({ page, api }) => {
  const { id } = await api.createFlow('Saved first', await draw(api, [start(), reply('old')]))
  await openCanvas(page, id)
  await nodeOf(page, 'Reply').click()
  await page.getByRole('textbox', { name: 'Message' }).fill('new')
  await openChat(page)
  await ask(page, 'Which one?')
  await expect(messages(page)).toContainText('new')
  expect(JSON.stringify(await api.readFlow(id))).toContain('"directReplyMessage":"new"')
})

test('the chat stays where a person scrolled to while an answer streams', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Long answer', await draw(api, [start(), llm(model.baseUrl, 'Weaver')]))
  const rest = gate()
  const lines = (from: number) => Array.from({ length: 60 }, (_, index) => `Line ${from + index}\n\n`).join('')
  model.reply({ text: [lines(1), lines(61), 'The last line.'], afterFirst: rest.opened })
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'Tell me all of it')
  await expect(messages(page).getByText('Line 60', { exact: true })).toBeInViewport()

  await messages(page).hover()
  await page.mouse.wheel(0, -600)
  const toLatest = chat(page).getByRole('button', { name: 'Jump to latest' })
  await expect(toLatest).toBeVisible()
  const top = () => messages(page).evaluate((log) => log.scrollTop)
  const before = await top()
  rest.open()
  await expect(messages(page)).toContainText('The last line.')
  await expect(messages(page)).toContainText(/\d+ tokens/)
  expect(await top()).toBe(before)

  await toLatest.click()
  await expect(messages(page).getByText('The last line.')).toBeInViewport()
  await expect(toLatest).toBeHidden()
})

test('the chat of a flow that its webhook starts says so, and runs it', async ({ page, api }) => {
  const flow = await draw(api, [start({ startInputType: 'webhookTrigger' }), reply('Heard {{ $webhook.body.yarn }}.')])
  const { id } = await api.createFlow('Called from outside', flow)
  await openCanvas(page, id)
  await openChat(page)
  await expect(chat(page)).toContainText('This flow runs when its webhook is called and doesn’t take chat messages.')
  await expect(chat(page).getByRole('textbox', { name: 'Question' })).toHaveCount(0)
  await expect(messages(page)).toContainText('Runs are listed under Executions.')
  await nodeOf(page, 'Reply').click()
  await page.getByRole('tab', { name: 'Last run' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Last run' })).toContainText(
    'The flow runs when its webhook is called',
  )
  await expectAccessible(page)

  await openChat(page)
  await chat(page).getByRole('button', { name: 'Run now' }).click()
  const asked = page.getByRole('dialog', { name: 'Run “Webhook”' })
  const payload = asked.getByRole('textbox', { name: 'Payload' })
  await expect(payload).toContainText('"hello": "world"')
  await payload.fill('{ "webhook": { "body": { "yarn": "red" }, "headers": {}, "query": {} } }')
  await asked.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(toast(page, /started/)).toBeVisible()
  await chat(page).getByRole('link', { name: 'Open trigger' }).click()
  const delivery = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
  await expect(delivery).toContainText('Succeeded')
  await delivery.getByRole('button').first().click()
  await expect(page.getByLabel('Response', { exact: true })).toContainText('Heard red.')
  await page.goto('/executions?agentflowName=Called+from+outside')
  await expect(
    page
      .getByRole('row', { name: /Heard red/ })
      .getByRole('link')
      .first(),
  ).toHaveText('yarn: red')
})

test('a form that failed is sent again as a form, also after a reload', async ({ page, api, model }) => {
  const form = { startInputType: 'formInput', formInputTypes: [{ type: 'string', label: 'City', name: 'city' }] }
  const asks = { llmMessages: [{ role: 'user', content: 'Weather in {{ $form.city }}' }] }
  const { id } = await api.createFlow('Form again', await draw(api, [start(form), llm(model.baseUrl, 'Weaver', asks)]))
  model.reply({ error: { status: 400, message: 'Out of yarn' } }, { text: 'Sunny.' })
  await openCanvas(page, id)
  await openChat(page)
  await chat(page).getByLabel('City').fill('Bern')
  await chat(page).getByRole('button', { name: 'Send' }).click()
  await expect(messages(page)).toContainText('Out of yarn')
  await page.reload()
  await openChat(page)
  await messages(page)
    .getByRole('button', { name: /try again/i })
    .click()
  await expect(messages(page)).toContainText('Sunny.')
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('Weather in Bern')
})
