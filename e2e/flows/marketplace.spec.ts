import { ask, chat, messages, openCanvas, surface } from '../support/canvas.ts'
import { draw, practice, reply, start } from '../support/draw.ts'
import { expect, test } from '../support/test.ts'

for (const [device, size] of [
  ['a desktop', { width: 1280, height: 720 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test(`on ${device}, a template is found, looked at and used, and answers at once`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.goto('/marketplaces')
    const count = page.getByRole('status').filter({ hasText: /templates?$/ })
    await expect(count).toHaveText(/\d\d? templates/)
    await page.getByRole('searchbox', { name: 'Search templates' }).fill('judge answers')
    await expect(count).toHaveText('1 template')
    await page.getByRole('link', { name: 'Compare two answers' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Compare two answers' })).toBeVisible()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.getByText('Answer A', { exact: true }).first()).toBeVisible()
    await expect(preview.getByRole('textbox')).toHaveAttribute('readonly')
    await page.getByRole('button', { name: 'Use template' }).click()
    await expect(chat(page)).toBeVisible()
    await ask(page, 'Tea or coffee?')
    await expect(messages(page)).toContainText('Answer A:')
  })
}

test('a flow is saved as a template, and the template asks for its credential', async ({ page, api }) => {
  const openAi = { llmModel: 'chatOpenAI', llmModelConfig: { llmModel: 'chatOpenAI', modelName: 'gpt-5' } }
  const flow = await draw(api, [
    start(),
    { ...practice('Writer'), inputs: openAi },
    reply('Written: {{ llmAgentflow_0 }}'),
  ])
  const { id } = await api.createFlow('Letter', flow)
  const name = `Letter of ${id.slice(0, 8)} <b>🧵</b>`
  await openCanvas(page, id)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Writes letters.')
  await dialog.getByRole('textbox', { name: 'Use cases' }).fill('Letters, Letters, Post')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText(`Saved the template “${name}”`)).toBeVisible()

  await page.goto('/marketplaces')
  await page.getByRole('tab', { name: 'Custom' }).click()
  const card = page.getByRole('listitem').filter({ hasText: name })
  await expect(card).toContainText('Writes letters.')
  await expect(card.getByText('Letters', { exact: true })).toHaveCount(1)
  await card.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Use template' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose credentials' })
  await expect(choice).toContainText('Without one, the practice model answers.')
  await choice.getByRole('button', { name: 'Skip and use template' }).click()
  await expect(surface(page)).toBeVisible()
  await ask(page, 'Dear Ann')
  await expect(messages(page)).toContainText('Written: ')
})

test('a tool is saved as a template, and the template becomes a tool again', async ({ page, api }) => {
  const name = `shout_${crypto.randomUUID().slice(0, 8)}`
  const schema = JSON.stringify([{ property: 'text', description: 'What to shout', type: 'string', required: true }])
  await api.post('/tools', {
    name,
    description: 'Shouts a text.',
    color: 'teal',
    iconSrc: null,
    schema,
    func: 'return $text.toUpperCase()',
  })
  await page.goto('/tools')
  const rows = page.getByRole('row').filter({ hasText: name })
  await rows.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  await expect(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue('Shouts a text.')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText(`Saved the template “${name}”`)).toBeVisible()

  await page.goto('/marketplaces')
  await page.getByRole('tab', { name: 'Custom' }).click()
  await page.getByRole('listitem').filter({ hasText: name }).getByRole('link', { name }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('text (string): What to shout')
  await expect(preview).toContainText('return $text.toUpperCase()')
  await page.getByRole('button', { name: 'Use template' }).click()
  await expect(page).toHaveURL(/\/tools$/)
  await expect(rows).toHaveCount(2)
})
