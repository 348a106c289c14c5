import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { openCanvas } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { expect, test, toast } from '../support/test.ts'

const sessions = (page: Page) => page.getByRole('navigation', { name: 'Sessions' })
const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' })

interface Answer {
  chatId: string
  chatMessageId: string
}

async function download(page: Page, start: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), start()])
  return readFileSync(await file.path(), 'utf8')
}

test('what was said to a flow is read by session, filtered, exported and deleted', async ({ page, api }) => {
  const { id } = await api.createFlow('Overheard', await draw(api, [start(), reply('Two cups of **tea**')]))
  const ask = (question: string, chatId: string) =>
    api.post<Answer>(`/prediction/${id}`, { question, chatId, overrideConfig: {} })
  const { chatMessageId } = await ask('What do I drink?', chatIdOf('overheard-1'))
  await api.post('/feedback', {
    chatflowid: id,
    chatId: chatIdOf('overheard-1'),
    messageId: chatMessageId,
    rating: 'THUMBS_DOWN',
    content: 'Too hot',
  })
  await ask('=1+1', chatIdOf('overheard-2'))
  await api.post(`/internal-prediction/${id}`, { question: 'Only a test', chatId: 'overheard-3' })

  await openCanvas(page, id)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Messages' }).click()
  await expect(page.getByRole('heading', { name: 'Messages of Overheard', level: 1 })).toBeVisible()
  await expect(sessions(page).getByRole('listitem')).toHaveCount(3)
  await expect(sessions(page).getByRole('listitem').first()).toContainText('Only a test')

  await page.getByLabel('Rating').selectOption('Bad answer')
  await expect(sessions(page).getByRole('listitem')).toHaveCount(1)
  await sessions(page)
    .getByRole('link', { name: /What do I drink/ })
    .click()
  await expect(conversation(page).locator('strong', { hasText: 'tea' })).toBeVisible()
  await expect(conversation(page)).toContainText('Bad answer: Too hot')
  await page.reload()
  await expect(conversation(page)).toContainText('Bad answer: Too hot')
  await conversation(page).getByRole('link', { name: 'View run' }).click()
  await expect(page.getByRole('heading', { name: 'Overheard', level: 1 })).toBeVisible()

  await page.goto(`/v2/agentcanvas/${id}/messages`)
  await page.getByLabel('Source').selectOption('Test chat')
  await expect(sessions(page).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Actions for these sessions' }).click()
  await page.getByRole('menuitem', { name: 'Delete 1 session' }).click()
  await page.getByRole('button', { name: 'Delete 1 session' }).click()
  await expect(toast(page, 'Session deleted')).toBeVisible()
  await expect(sessions(page).getByRole('listitem')).toHaveCount(2)

  const choose = (item: string) => async () => {
    await page.getByRole('button', { name: 'Actions for these sessions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const json = JSON.parse(await download(page, choose('Export as JSON')))
  expect(json).toHaveLength(2)
  expect(json).toContainEqual(
    expect.objectContaining({
      id: chatIdOf('overheard-1'),
      messages: [
        expect.objectContaining({ content: 'What do I drink?' }),
        expect.objectContaining({ feedback: 'Too hot' }),
      ],
    }),
  )
  expect(await download(page, choose('Export as CSV'))).toContain(`"user","'=1+1"`)

  await sessions(page).getByRole('link', { name: /=1\+1/ }).click()
  await conversation(page).getByRole('button', { name: 'Delete session' }).click()
  await page.getByRole('button', { name: 'Delete session' }).last().click()
  await expect(sessions(page).getByRole('listitem')).toHaveCount(1)
})

test('on a phone a session takes the place of the list, by keyboard too, and leads are listed', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await api.createFlow('Overheard on a phone', await draw(api, [start(), reply('Hello')]))
  const leads = { status: true, title: 'Who are you?', name: true, email: true }
  await api.put(`/chatflows/${id}`, { chatbotConfig: JSON.stringify({ leads }) })
  await api.post(`/prediction/${id}`, { question: 'Who is there?', chatId: chatIdOf('overheard-phone') })
  await api.post('/leads', { chatflowid: id, chatId: chatIdOf('overheard-phone'), name: 'Cy', email: 'cy@example.com' })

  await page.goto(`/v2/agentcanvas/${id}/messages`)
  const link = sessions(page).getByRole('link', { name: /Who is there/ })
  await expect(link).toContainText('Cy')
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(conversation(page)).toContainText('cy@example.com')
  await expect(link).toBeHidden()
  await conversation(page).getByRole('link', { name: 'All sessions' }).click()
  await expect(link).toBeVisible()

  await page.getByRole('link', { name: 'Leads' }).click()
  await expect(page.getByRole('table', { name: 'Leads' }).getByRole('row', { name: /Cy/ })).toContainText(
    'cy@example.com',
  )
  const file = await download(page, () => page.getByRole('button', { name: 'Export as CSV' }).click())
  expect(file).toContain('"Cy","cy@example.com"')
})
