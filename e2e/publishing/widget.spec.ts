/** Our widget on another site: bubble and inline, by keyboard, on a phone, in the dark. */
import type { Page } from '@playwright/test'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Api } from '../support/api.ts'
import { draw, human, llm, reply, start } from '../support/draw.ts'
import { gate } from '../support/model-server.ts'
import { test } from '../support/site.ts'
import { expect, expectAccessible, expectStatus } from '../support/test.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='

async function publish(api: Api, flow: FlowDocument, chatbotConfig: object = {}): Promise<string> {
  const { id } = await api.createFlow(`Widget ${crypto.randomUUID()}`, flow)
  await api.put(`/chatflows/${id}`, { callers: 'everyone', chatbotConfig: JSON.stringify(chatbotConfig) })
  return id
}

const script = (baseURL: string | undefined, attributes: string) =>
  `<script src="${baseURL}/widget.js" ${attributes}></script>`
const bubble = (page: Page) => page.getByRole('button', { name: 'Open chat' })
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })
const field = (page: Page) => page.getByLabel('Your message')

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

for (const mode of ['light', 'dark'] as const) {
  test(`a visitor chats in the bubble of another site, by phone and keyboard alone, in ${mode} mode`, async ({
    page,
    api,
    model,
    site,
    baseURL,
  }) => {
    await page.setViewportSize({ width: 390, height: 780 })
    await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
    const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
      title: 'Loom help',
      welcomeMessage: 'Ask about **looms**.',
      starterPrompts: { 0: { prompt: 'What is a heddle?' }, 1: { prompt: 'What is a reed?' } },
      chatFeedback: { status: true },
    })
    await page.goto(site.show(`<main><h1>Shop</h1>${script(baseURL, `data-flow="${flow}"`)}</main>`))
    await page.keyboard.press('Tab')
    await expect(bubble(page)).toBeFocused()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Loom help' })
    await expect(field(page)).toBeFocused()
    expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 780 })
    await expect(messages(page).locator('strong')).toHaveText('looms')
    await expectAccessible(page)

    const { opened, open } = gate()
    model.reply({ text: ['A heddle ', 'guides the *warp*.'], afterFirst: opened })
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('What is a reed?')
    await expect(messages(page)).toContainText('A heddle')
    open()
    await expect(messages(page).locator('em')).toHaveText('warp')
    await expectStatus(dialog, 'A heddle guides the *warp*.')
    await page.getByRole('button', { name: 'Good answer' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(page)

    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab')
      expect(
        await dialog.evaluate((element) => element.contains((element.getRootNode() as ShadowRoot).activeElement)),
      ).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(bubble(page)).toBeFocused()

    await page.reload()
    await page.evaluate('Heddle.open()')
    await expect(messages(page)).toContainText('A heddle guides the warp.')
    await expect(page.getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(messages(page)).not.toContainText('guides')
    await page.evaluate('Heddle.close()')
    await expect(dialog).toHaveCount(0)
  })
}

test('an answer stops when the visitor says so, and a failed one can be asked again', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  await page.goto(site.show(script(baseURL, `data-flow="${flow}" data-mode="inline"`)))
  const { opened, open } = gate()
  model.reply({ text: ['Once ', 'upon a time'], afterFirst: opened })
  await ask(page, 'Tell me a story')
  await expect(messages(page)).toContainText('Once')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(messages(page)).toContainText('Stopped')
  open()
  await expect(messages(page)).not.toContainText('upon a time')

  model.always(() => ({ error: { status: 400, message: 'The loom is broken' } }))
  await ask(page, 'Weave')
  await expect(messages(page)).toContainText('The loom is broken')
  model.always(() => ({ text: 'Woven.' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(messages(page)).toContainText('Woven.')
  await expect(messages(page)).not.toContainText('The loom is broken')
})

test('a form starts the flow, and a person’s decision continues it', async ({ page, api, site, baseURL }) => {
  const form = start({
    startInputType: 'formInput',
    formTitle: 'Your order',
    formDescription: 'What shall we weave?',
    formInputTypes: [
      { type: 'string', label: 'Cloth', name: 'cloth' },
      { type: 'options', label: 'Colour', name: 'colour', addOptions: [{ option: 'red' }, { option: 'blue' }] },
      { type: 'boolean', label: 'Express', name: 'express' },
    ],
  })
  const flow = await draw(
    api,
    [
      form,
      human('Order it?'),
      reply('{{ $form.cloth }} in {{ $form.colour }} is ordered.', 'Order'),
      reply('Nothing ordered.', 'None'),
    ],
    [
      [0, 1],
      [1, 2, 0],
      [1, 3, 1],
    ],
  )
  const id = await publish(api, flow)
  await page.goto(
    site.show(
      `<div id="here" style="height:600px"></div>${script(baseURL, `data-flow="${id}" data-mode="inline" data-target="#here"`)}`,
    ),
  )
  await page.getByLabel('Cloth').fill('Linen')
  await page.getByLabel('Colour').selectOption('blue')
  await page.getByLabel('Express').check()
  await expectAccessible(page, '#here')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(messages(page)).toContainText('Order it?')
  await page.reload()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await expect(messages(page)).toContainText('Linen in blue is ordered.')
})

test('images and texts go along with a question', async ({ page, api, model, site, baseURL }) => {
  const seeing = {
    llmModelConfig: {
      llmModel: 'chatOpenAICustom',
      modelName: 'scripted',
      basepath: model.baseUrl,
      allowImageUploads: true,
    },
  }
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl, 'Eye', seeing)]), {
    fullFileUpload: { status: true },
  })
  await page.goto(site.show(script(baseURL, `data-flow="${flow}" data-mode="inline"`)))
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') },
    { name: 'note.md', mimeType: 'text/markdown', buffer: Buffer.from('# Warp') },
  ])
  await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([
    'dot.png',
    'note.md',
  ])
  model.reply({ text: 'A dot.' })
  await ask(page, 'What is it?')
  await expect(messages(page)).toContainText('A dot.')
  expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toEqual([
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    { type: 'text', text: "<doc name='note.md'># Warp</doc>\n\nWhat is it?" },
  ])
  await expect(messages(page).getByRole('img', { name: 'dot.png' })).toBeVisible()
})
