/** Files go with a question: chosen, pasted or dropped, and reach the model as its provider takes them. */
import type { Page } from '@playwright/test'
import { chat, messages, openCanvas, openChat } from '../support/canvas.ts'
import { draw, llm, start } from '../support/draw.ts'
import type { ModelServer } from '../support/model-server.ts'
import { expect, expectAccessible, test } from '../support/test.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const photo = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
const note = { name: 'note.md', mimeType: 'text/markdown', buffer: Buffer.from('# Warp') }

const listening = ({ baseUrl }: ModelServer) => ({
  llmModelConfig: { llmModel: 'chatOpenAICustom', modelName: 'scripted', basepath: baseUrl, allowAudioUploads: true },
})
const seeing = ({ baseUrl }: ModelServer) => ({
  llmModelConfig: { llmModel: 'chatOpenAICustom', modelName: 'scripted', basepath: baseUrl, allowImageUploads: true },
})
const attached = (page: Page) => chat(page).getByRole('list', { name: 'Attached files' }).getByRole('listitem')
const choose = (page: Page, files: (typeof photo)[]) => chat(page).getByLabel('Files to attach').setInputFiles(files)
const send = (page: Page) => chat(page).getByRole('button', { name: 'Send' })

test('an image and a text reach the model, and stay in the chat', async ({ page, api, model }) => {
  const flow = await draw(api, [start(), llm(model.baseUrl, 'Weaver', seeing(model))])
  const { id } = await api.createFlow('Sees', flow)
  await openCanvas(page, id)
  await openChat(page)
  await choose(page, [photo, note])
  await expect(attached(page)).toHaveText([/photo\.png.*68 Bytes/, /note\.md.*6 Bytes/])
  await expectAccessible(page, 'section[aria-label=Chat]')

  model.reply({ text: 'A single dot.' })
  await chat(page).getByLabel('Question').fill('What do you see?')
  await send(page).click()
  await expect(messages(page)).toContainText('A single dot.')
  await expect(attached(page)).toHaveCount(0)
  expect(model.requests.at(-1)?.body.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        { type: 'text', text: "<doc name='note.md'># Warp</doc>\n\nWhat do you see?" },
      ],
    },
  ])
  await expect(messages(page).getByRole('img', { name: 'photo.png' })).toBeVisible()
  await expect(messages(page)).toContainText('note.md')

  await page.reload()
  await openChat(page)
  const image = messages(page).getByRole('img', { name: 'photo.png' })
  await expect(image).toBeVisible()
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
  await expect(messages(page).getByRole('link', { name: 'note.md' })).toBeVisible()
  await expectAccessible(page, 'section[aria-label=Chat]')
})

test('a recording reaches a model that listens, and stays in the chat', async ({ page, api, model }) => {
  const wave = Buffer.from('RIFF____WAVEfmt ')
  const recording = { name: 'hum.wav', mimeType: 'audio/wav', buffer: wave }
  const { id } = await api.createFlow(
    'Listens',
    await draw(api, [start(), llm(model.baseUrl, 'LLM', listening(model))]),
  )
  await openCanvas(page, id)
  await openChat(page)
  await choose(page, [recording])
  await expect(attached(page)).toHaveText([/hum\.wav.*16 Bytes/])
  await expectAccessible(page, 'section[aria-label=Chat]')

  model.reply({ text: 'A low hum.' })
  await chat(page).getByLabel('Question').fill('What do you hear?')
  await send(page).click()
  await expect(messages(page)).toContainText('A low hum.')
  await expect(attached(page)).toHaveCount(0)
  expect(model.requests.at(-1)?.body.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_audio', input_audio: { data: wave.toString('base64'), format: 'wav' } },
        { type: 'text', text: 'What do you hear?' },
      ],
    },
  ])
  await expect(messages(page)).toContainText('hum.wav')

  await page.reload()
  await openChat(page)
  await expect(messages(page).getByRole('link', { name: 'hum.wav' })).toBeVisible()
})

test('files are pasted, dropped and taken out again, by keyboard too', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Pasted', await draw(api, [start(), llm(model.baseUrl)]))
  await openCanvas(page, id)
  await openChat(page)
  const question = chat(page).getByLabel('Question')
  for (const type of ['paste', 'drop']) {
    await question.evaluate((element, kind) => {
      const data = new DataTransfer()
      data.items.add(new File([kind], `${kind}.txt`, { type: 'text/plain' }))
      const init = { bubbles: true, cancelable: true }
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data })
      element.dispatchEvent(event)
    }, type)
    await expect(attached(page).filter({ hasText: `${type}.txt` })).toBeVisible()
  }
  await chat(page).getByRole('button', { name: 'Remove paste.txt' }).press('Enter')
  await expect(attached(page)).toHaveText([/drop\.txt/])
  await expect(question).toBeFocused()
  await question.press('Enter')
  await expect
    .poll(() => model.requests.at(-1)?.body.messages)
    .toEqual([{ role: 'user', content: "<doc name='drop.txt'>drop</doc>" }])
})

test('what a flow does not take is refused with its reason', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Blind', await draw(api, [start(), llm(model.baseUrl)]))
  await openCanvas(page, id)
  await openChat(page)
  await choose(page, [photo])
  await expect(chat(page).getByRole('alert')).toContainText('photo.png: this flow doesn’t accept images.')
  await choose(page, [{ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') }])
  await expect(chat(page).getByRole('alert')).toContainText('a.zip: unsupported file type.')
  await expect(attached(page)).toHaveCount(0)
  await choose(page, [note])
  await expect(chat(page).getByRole('alert')).toHaveText('')
})
