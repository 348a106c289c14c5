import type { Page } from '@playwright/test'
import { ask, chat, messages, openCanvas, openChat } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { type Site, test } from '../support/site.ts'
import { expect, expectAccessible, toast } from '../support/test.ts'

/** Silence, as a WAV file. */
function silence(seconds = 0.5): string {
  const samples = 8000 * seconds
  const file = Buffer.alloc(44 + samples)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + samples, 4)
  file.write('WAVEfmt ', 8)
  for (const [value, at] of [
    [16, 16],
    [8000, 24],
    [8000, 28],
    [samples, 40],
  ] as const)
    file.writeUInt32LE(value, at)
  for (const [value, at] of [
    [1, 20],
    [1, 22],
    [1, 32],
    [8, 34],
  ] as const)
    file.writeUInt16LE(value, at)
  file.write('data', 36)
  file.fill(128, 44)
  return file.toString('base64')
}

/** Answers for the provider of the voice: sound for each message of the flow. */
async function speakWith(page: Page, { flowId, seconds }: { flowId: string; seconds: number }): Promise<void> {
  const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify({ event, data })}\n\n`
  await page.route('**/api/v1/text-to-speech/generate', (route) => {
    const { chatflowId, chatMessageId } = route.request().postDataJSON()
    expect(chatflowId).toBe(flowId)
    const sound = frame('tts_data', { chatMessageId, audioChunk: silence(seconds) })
    const body = frame('tts_start', { chatMessageId, format: 'mp3' }) + sound + frame('tts_end', { chatMessageId })
    const headers = { 'access-control-allow-origin': '*' }
    return route.fulfill({ contentType: 'text/event-stream', headers, body })
  })
}

test('speech is switched on in the Share panel, and answers can be listened to', async ({ page, api }) => {
  const { id } = await api.createFlow('Speaks up', await draw(api, [start(), reply('Good morning')]))
  await openCanvas(page, id)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByLabel('Text to speech', { exact: true }).selectOption('OpenAI')
  await dialog.getByLabel('Voice').selectOption('Nova')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Sharing saved')).toBeVisible()
  const { textToSpeech } = await api.get<{ textToSpeech: string }>(`/chatflows/${id}`)
  expect(JSON.parse(textToSpeech)).toEqual({ openai: { status: true, voice: 'nova' } })

  await openChat(page)
  await ask(page, 'Hello')
  await expect(messages(page)).toContainText('Good morning')
  const listen = chat(page).getByRole('button', { name: 'Listen to answer' })
  await listen.click()
  await expect(toast(page, 'The answer could not be spoken. Try again.')).toBeVisible()

  await speakWith(page, { flowId: id, seconds: 0.5 })
  await listen.focus()
  await page.keyboard.press('Enter')
  await expect(chat(page).getByRole('button', { name: 'Stop listening' })).toBeVisible()
  await expect(listen).toBeVisible()
})

const FAILED = 'The answer could not be spoken. Try again.'

/** Where visitors chat with a flow. */
const PLACES = {
  'the chat page': (id: string) => `/chatbot/${id}`,
  'the widget': (id: string, site: Site, baseURL: string) =>
    site.show(
      `<main><h1>Shop</h1><script src="${baseURL}/widget.js" data-flow="${id}" data-mode="inline"></script></main>`,
    ),
}

for (const [place, addressOf] of Object.entries(PLACES)) {
  test(`a visitor listens to answers in ${place}, one at a time, by keyboard`, async ({
    browser,
    api,
    site,
    baseURL,
  }) => {
    const { id } = await api.createFlow(`Speaks in ${place}`, await draw(api, [start(), reply('Good morning')]))
    const textToSpeech = JSON.stringify({ openai: { status: true, voice: 'nova', autoPlay: true } })
    await api.put(`/chatflows/${id}`, { callers: 'everyone', textToSpeech })
    const context = await browser.newContext({
      viewport: { width: 390, height: 780 },
      storageState: { cookies: [], origins: [] },
    })
    const page = await context.newPage()
    await page.goto(addressOf(id, site, baseURL as string))
    const send = async (question: string) => {
      await page.getByRole('textbox', { name: /message|question/i }).fill(question)
      await page.keyboard.press('Enter')
    }
    await send('Hello')
    // The voice has no key: the answer comes without its sound, and says so.
    await expect(page.getByText(FAILED)).toBeVisible()
    const listen = page.getByRole('button', { name: 'Listen to answer' })
    const stop = page.getByRole('button', { name: 'Stop listening' })
    await expect(listen).toHaveCount(1)
    await send('Again')
    await expect(listen).toHaveCount(2)
    const asked: string[] = []
    // The sound itself is a blob: the browser tells of it or not.
    const isOfServer = (url: string) => url.startsWith('http')
    page.on('request', (request) => isOfServer(request.url()) && asked.push(new URL(request.url()).pathname))
    await speakWith(page, { flowId: id, seconds: 60 })
    await listen.first().focus()
    await page.keyboard.press('Enter')
    await expect(stop).toBeVisible()
    await expectAccessible(page)
    await listen.focus()
    await page.keyboard.press('Enter')
    await expect(stop).toHaveCount(1)
    await expect(listen).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(listen).toHaveCount(2)
    expect(asked).toEqual(['/api/v1/text-to-speech/generate', '/api/v1/text-to-speech/generate'])
    await context.close()
  })
}
