import { ask, chat, messages, openCanvas, openChat } from './support/canvas.ts'
import { draw, reply, start } from './support/draw.ts'
import { expect, expectAccessible, test, toast } from './support/test.ts'

/** Half a second of silence, as a WAV file. */
function silence(): string {
  const samples = 4000
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

  const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify({ event, data })}\n\n`
  await page.route('**/api/v1/text-to-speech/generate', (route) => {
    const { chatflowId, chatMessageId } = route.request().postDataJSON()
    expect(chatflowId).toBe(id)
    const sound = frame('tts_data', { chatMessageId, audioChunk: silence() })
    const body = frame('tts_start', { chatMessageId, format: 'mp3' }) + sound + frame('tts_end', { chatMessageId })
    return route.fulfill({ contentType: 'text/event-stream', body })
  })
  await listen.focus()
  await page.keyboard.press('Enter')
  await expect(chat(page).getByRole('button', { name: 'Stop listening' })).toBeVisible()
  await expect(listen).toBeVisible()
})
