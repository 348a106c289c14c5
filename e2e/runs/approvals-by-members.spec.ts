/** Callers from outside wait for the team: a member answers elsewhere, and their chats go on by themselves. */
import type { Page } from '@playwright/test'
import { draw, human, llm, start } from '../support/draw.ts'
import { test } from '../support/site.ts'
import { expect, expectAccessible, expectAccessibleInBothModes } from '../support/test.ts'

const WAITS = 'Waiting for the team to approve.'

test('a caller who waits for the team has the rest when a member answers, on the chat page and in the widget', async ({
  page,
  api,
  model,
  site,
  browser,
  baseURL,
}) => {
  const asking = human('Print this?')
  const drawn = await draw(api, [
    start(),
    { ...asking, inputs: { ...asking.inputs, humanInputApprovers: 'members' } },
    llm(model.baseUrl, 'Press'),
  ])
  const { id: flow } = await api.createFlow('Press room', drawn)
  await api.put(`/chatflows/${flow}`, { callers: 'everyone' })
  const outside = await browser.newContext({ storageState: undefined, viewport: { width: 390, height: 844 } })
  const caller = await outside.newPage()
  const messages = (of: Page) => of.getByRole('log', { name: 'Messages' })

  await caller.goto(`/chatbot/${flow}`)
  await caller.getByLabel('Question').fill('A headline')
  await caller.getByLabel('Question').press('Enter')
  await expect(messages(caller)).toContainText(`Print this?${WAITS}`)
  await expect(caller.getByRole('button', { name: 'Proceed' })).toBeHidden()
  await expectAccessibleInBothModes(caller, ['phone'])
  await caller.reload()
  await expect(messages(caller)).toContainText(WAITS)

  const approve = async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Editor in Press room needs your approval' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    const card = page.getByRole('group', { name: 'Editor needs your approval' })
    await card.getByRole('button', { name: 'Proceed' }).click()
    await expect(card).toBeHidden()
  }
  model.reply({ text: 'Printed on the front page' })
  await approve()
  await expect(messages(caller)).toContainText('Printed on the front page')
  await expect(messages(caller)).not.toContainText(WAITS)
  await expect(messages(caller)).toContainText('Approved by the team')
  await expectAccessibleInBothModes(caller, ['phone'])
  await caller.reload()
  await expect(messages(caller)).toContainText('Printed on the front page')

  const shop = await outside.newPage()
  const widget = `<script src="${baseURL}/widget.js" data-flow="${flow}" data-mode="inline"></script>`
  await shop.goto(site.show(`<main><h1>Shop</h1>${widget}</main>`))
  await shop.getByLabel('Your message').fill('Another headline')
  await shop.getByLabel('Your message').press('Enter')
  await expect(messages(shop)).toContainText('Print this?')
  await expect(messages(shop)).toContainText(WAITS)
  await expectAccessible(shop)
  await shop.reload()
  await expect(messages(shop)).toContainText(WAITS)
  model.reply({ text: 'Printed on page two' })
  await approve()
  await expect(messages(shop)).toContainText('Printed on page two')
  await expect(messages(shop)).not.toContainText(WAITS)
  await expect(messages(shop)).toContainText('Approved by the team')
  await outside.close()
})
