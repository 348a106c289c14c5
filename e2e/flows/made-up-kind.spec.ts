/** A made-up kind of flow is at home everywhere in the app, once its lines are in the lists. */
import { rmSync } from 'node:fs'
import { drawGarden } from '#contract/flow/kinds/testing/garden/draw.ts'
import { account } from '../support/account.ts'
import { surface } from '../support/canvas.ts'
import { makeFirstAccount } from '../support/first-account.ts'
import { makeGardenBuild } from '../support/garden-build.ts'
import { test as base } from '../support/isolated-server.ts'
import { expect, toast } from '../support/test.ts'

const test = base.extend<object, { build: string }>({
  build: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
    async ({}, use) => {
      const { folder, dist } = makeGardenBuild()
      await use(dist)
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  productOptions: ({ build }, use) => use({ dist: build }),
})

test('flows of a made-up kind are listed, made, opened, found, shown at home, shared and used as templates', async ({
  page,
  api,
}) => {
  await makeFirstAccount(page, account)
  await page.goto('/gardens')
  await expect(page.getByText('Dig a well, and water a bed.')).toBeVisible()

  await page.getByRole('link', { name: 'New garden' }).first().click()
  await expect(page).toHaveURL('/gardens/canvas')
  await expect(page.getByRole('textbox', { name: 'Flow name' })).toHaveValue('New garden')
  await expect(surface(page).getByText('Well well_0')).toBeVisible()

  const { id } = await api.post<{ id: string }>('/chatflows', {
    name: 'Roses',
    type: 'GARDEN',
    flowData: JSON.stringify(drawGarden()),
  })
  await page.goto('/gardens')
  await page.getByRole('link', { name: 'Roses', exact: true }).click()
  await expect(page).toHaveURL(`/gardens/canvas/${id}`)
  await expect(page.getByRole('textbox', { name: 'Flow name' })).toHaveValue('Roses')

  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Address' }).first()).toHaveValue(new RegExp(id))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  await dialog.getByLabel('Name').fill('Rose bed')
  await dialog.getByLabel('Description').fill('Grows roses.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, /template/i).first()).toBeVisible()

  await page.goto('/app')
  await expect(page.getByRole('region', { name: 'Recent flows' }).getByRole('link', { name: 'Roses' })).toHaveAttribute(
    'href',
    `/gardens/canvas/${id}`,
  )
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Roses')
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /^Roses/ })
    .click()
  await expect(page).toHaveURL(`/gardens/canvas/${id}`)

  await page.goto('/marketplaces')
  await expect(page.getByRole('link', { name: 'First garden' }).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Custom' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Rose bed' }).getByRole('link', { name: 'Rose bed' }).click()
  await page.getByRole('button', { name: 'Use template' }).click()
  await expect(page).toHaveURL(/\/gardens\/canvas\/./)
  await expect(page.getByRole('textbox', { name: 'Flow name' })).toHaveValue('Rose bed')
})
