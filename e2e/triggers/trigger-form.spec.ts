import { draw, reply, start } from '../support/draw.ts'
import { expect, test } from '../support/test.ts'

test('the trigger form asks only for what counts here', async ({ page, api }) => {
  const { id: flowId } = await api.createFlow('Form of triggers', await draw(api, [start(), reply('Hello')]))
  const settings = { kind: 'webhook', input: { mode: 'payload' } }
  await api.post('/triggers', { flowId, name: 'Already there', settings })
  await page.goto('/triggers')
  await expect(page.getByRole('row', { name: /Already there/ })).toBeVisible()
  await page.getByRole('button', { name: 'New trigger' }).click()
  const dialog = page.getByRole('dialog', { name: 'New trigger' })
  await expect(dialog.getByRole('button', { name: 'Create' })).toBeInViewport({ ratio: 1 })
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByText('Alerts', { exact: true }).click()
  await expect(dialog.getByLabel('Delivery retention (days)')).toBeVisible()
  await expect(dialog.getByLabel('Deliveries per minute')).toHaveCount(0)
  // This installation has no mail service.
  await expect(dialog.getByLabel('Alert webhook URL (optional)')).toBeVisible()
  await expect(dialog.getByLabel('Alert email (optional)')).toHaveCount(0)
  await dialog.getByRole('combobox', { name: 'Type', exact: true }).selectOption('webhook')
  await expect(dialog.getByLabel('Deliveries per minute')).toBeVisible()
})
