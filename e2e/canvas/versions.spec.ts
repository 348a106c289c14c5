import type { Page } from '@playwright/test'
import { ask, flowIdOf, messages, nodeOf, openCanvas, openChat, openSettings } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { expect, expectStatus, test, toast } from '../support/test.ts'

async function sayInstead(page: Page, message: string) {
  const answer = await openSettings(page, 'Answer')
  await answer.getByRole('textbox', { name: 'Message' }).fill(message)
}

const confirm = (page: Page, button: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: button }).click()

test('callers run what is published while the canvas runs the draft; versions are compared and restored', async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow('Versions', await draw(api, [start(), reply('First words', 'Answer')]))
  const calledFromOutside = async () => (await api.post<{ text: string }>(`/prediction/${id}`, { question: '?' })).text
  await openCanvas(page, id)

  await sayInstead(page, 'Second words')
  await page.getByRole('button', { name: 'More save options' }).click()
  await page.getByRole('menuitem', { name: 'Save with a note' }).click()
  const noting = page.getByRole('dialog', { name: 'Save with a note' })
  await noting.getByLabel('Note').fill('Kinder than before')
  await noting.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Saved')).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog', { name: 'Publish this flow?' }).getByRole('button', { name: 'Publish' }).click()
  const share = page.getByRole('dialog', { name: 'Share' })
  await expectStatus(share, 'Published version 2')
  await share.getByRole('button', { name: 'Cancel' }).click()

  await sayInstead(page, 'Third words')
  await openChat(page)
  await ask(page, 'What do you say?')
  await expect(messages(page)).toContainText('Third words')
  expect(await calledFromOutside()).toBe('Second words')

  await page.getByRole('button', { name: /Draft v3 · Published v2/ }).click()
  const versions = page.getByRole('list', { name: 'Versions, newest first' }).getByRole('listitem')
  await expect(versions).toHaveText([
    /Version 3.*Draft/,
    /Version 2.*Published.*Kinder than before.*Ada Weaver/,
    /Version 1/,
  ])
  await page.getByRole('button', { name: 'Actions for version 2' }).click()
  await page.getByRole('menuitem', { name: 'Compare with draft' }).click()
  const changes = page.getByRole('complementary', { name: 'Changes' })
  const compared = page.getByRole('dialog').filter({ has: changes })
  await expect(compared.getByLabel('Version', { exact: true })).toHaveValue('3')
  await expect(compared.getByLabel('Compare with')).toHaveValue('2')
  await expect(changes).toContainText('1 change')
  await expect(changes.locator('del')).toContainText('Second words')
  await expect(changes.locator('ins')).toContainText('Third words')
  await expect(compared.locator('.heddle-node[data-mark=changed]')).toContainText('Answer')
  await compared.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await confirm(page, 'Restore')
  await expect(toast(page, 'Restored version 1')).toBeVisible()
  await expect(versions).toHaveCount(4)
  await page.getByRole('button', { name: 'Close: Versions' }).click()
  await expect(nodeOf(page, 'Answer')).toContainText('First words')
  await ask(page, 'And now?')
  await expect(messages(page)).toContainText('First words')
  expect(await calledFromOutside()).toBe('Second words')
  expect(flowIdOf(page)).toBe(id)
})
