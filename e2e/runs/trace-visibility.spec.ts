import type { APIRequestContext, Page } from '@playwright/test'
import { openCanvas } from '../support/canvas.ts'
import { draw, llm, start } from '../support/draw.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

const PROMPT = 'Answer as a weaver would'

test('the owner decides whether visitors see whole traces', async ({ page, api, model, playwright, baseURL }) => {
  model.always(() => ({ text: 'Hello from the loom' }))
  const inputs = { llmMessages: [{ role: 'system', content: PROMPT }] }
  const { id } = await api.createFlow(
    'Seen by visitors',
    await draw(api, [start(), llm(model.baseUrl, 'Weaver', inputs)]),
  )
  const limited = JSON.stringify({ rateLimit: { status: false, limitMsg: 'Slow down' } })
  await api.put(`/chatflows/${id}`, { apiConfig: limited, callers: 'everyone' })
  const visitor = await playwright.request.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  await openCanvas(page, id)

  const outline = await answerTo(visitor, id)
  expect(outline).toContain('Hello from the loom')
  expect(outline).toContain('Weaver')
  expect(outline).not.toContain(PROMPT)

  const panel = await openShare(page)
  await expect(wholeTraces(page)).not.toBeChecked()
  await expect(panel).toContainText('stay hidden')
  await expectAccessible(page)
  await panel.getByText('Share full traces').click()
  await expect(panel).toContainText('see all inputs and outputs of the steps: prompts')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Sharing saved')).toBeVisible()
  expect(await answerTo(visitor, id)).toContain(PROMPT)

  await page.reload()
  await openShare(page)
  await expect(wholeTraces(page)).toBeChecked()
  await wholeTraces(page).focus()
  await page.keyboard.press('Space')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Sharing saved')).toBeVisible()
  expect(await answerTo(visitor, id)).not.toContain(PROMPT)
  const { apiConfig } = await api.get<{ apiConfig: string }>(`/chatflows/${id}`)
  expect(JSON.parse(apiConfig)).toMatchObject(JSON.parse(limited))
  await visitor.dispose()
})

async function answerTo(visitor: APIRequestContext, flowId: string): Promise<string> {
  const response = await visitor.post(`/api/v1/prediction/${flowId}`, { data: { question: 'Who are you?' } })
  expect(response.status()).toBe(200)
  return response.text()
}

async function openShare(page: Page) {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  return page.getByRole('dialog', { name: 'Share' })
}

const wholeTraces = (page: Page) => page.getByRole('checkbox', { name: 'Share full traces' })
