/** A made-up kind of flow is at home everywhere in the app, once its lines are in the lists. */
import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { drawGarden } from '#contract/flow/kinds/testing/garden/draw.ts'
import { account } from '../support/account.ts'
import { dragIn, nodes, save, surface } from '../support/canvas.ts'
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

const flowName = (page: Page) => page.getByRole('textbox', { name: 'Flow name' })

test('a flow of a made-up kind is drawn from its own palette, saved, and found where its kind is at home', async ({
  page,
}) => {
  await makeFirstAccount(page, account)
  await page.goto('/gardens')
  await expect(page.getByText('Dig a well, and water a bed.')).toBeVisible()
  await page.getByRole('link', { name: 'New garden' }).first().click()
  await expect(page).toHaveURL('/gardens/canvas')
  await expect(flowName(page)).toHaveValue('New garden')
  await expect(surface(page).getByText('Well well_0')).toBeVisible()

  const palette = page.getByRole('region', { name: 'Nodes' })
  await expect(palette.getByRole('list', { name: 'Plants' }).getByRole('listitem')).toHaveText([
    /^Well/,
    /^Bed/,
    /^Vase/,
    /^Worms/,
    /^Heap/,
  ])
  await expect(palette.getByRole('list')).toHaveCount(1)
  await dragIn(page, 'Bed', [400, 300])
  await flowName(page).fill('Roses')
  await save(page)
  await expect(page).toHaveURL(/\/gardens\/canvas\/[\w-]+$/)
  await page.reload()
  await expect(flowName(page)).toHaveValue('Roses')
  await expect(nodes(page)).toHaveCount(2)
  const canvas = new URL(page.url()).pathname

  await page.goto('/app')
  await expect(page.getByRole('link', { name: 'New garden' })).toHaveAttribute('href', '/gardens/canvas')
  await expect(page.getByRole('link', { name: 'All gardens' })).toHaveAttribute('href', '/gardens')
  const recent = page.getByRole('region', { name: 'Recent flows' })
  await expect(recent.getByRole('link', { name: 'Roses' })).toHaveAttribute('href', canvas)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Roses')
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /^Roses/ })
    .click()
  await expect(page).toHaveURL(canvas)
})

test('a flow of a made-up kind is shared by a link, and what was said and run leads back to its canvas', async ({
  page,
  api,
  browser,
}) => {
  await makeFirstAccount(page, account)
  const { id } = await api.post<{ id: string }>('/chatflows', {
    name: 'Roses',
    type: 'GARDEN',
    flowData: JSON.stringify(drawGarden()),
  })
  await page.goto('/gardens')
  await page.getByRole('link', { name: 'Roses', exact: true }).click()
  await expect(page).toHaveURL(`/gardens/canvas/${id}`)

  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Share' })
  await panel.getByText('Everyone', { exact: true }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Sharing saved')).toBeVisible()
  const visitor = await browser.newPage({ baseURL: new URL(page.url()).origin })
  await visitor.goto(`/chatbot/${id}`)
  await visitor.getByRole('textbox', { name: 'Question' }).fill('cold')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('log', { name: 'Messages' })).toContainText('A vase of tulips on cold water')
  await visitor.close()

  await page.goto('/gardens')
  await page.getByRole('button', { name: 'Actions for Roses' }).click()
  await page.getByRole('menuitem', { name: 'Messages' }).click()
  await expect(page).toHaveURL(`/gardens/${id}/messages`)
  await page.getByRole('link', { name: /cold/ }).click()
  const conversation = page.getByRole('region', { name: 'Conversation' })
  await expect(conversation).toContainText('A vase of tulips on cold water')
  await conversation.getByRole('link', { name: 'View run' }).click()
  await expect(page.getByRole('heading', { name: 'Roses', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: /^version \d+$/ }).click()
  await expect(page).toHaveURL(new RegExp(`/gardens/canvas/${id}`))
})

test('a flow of a made-up kind becomes a template, which makes flows of its kind', async ({ page, api }) => {
  await makeFirstAccount(page, account)
  const flowData = JSON.stringify(drawGarden())
  const { id } = await api.post<{ id: string }>('/chatflows', { name: 'Roses', type: 'GARDEN', flowData })
  await page.goto(`/gardens/canvas/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  await dialog.getByLabel('Name').fill('Rose bed')
  await dialog.getByLabel('Description').fill('Grows roses.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, /template/i).first()).toBeVisible()

  await page.goto('/marketplaces')
  await expect(page.getByRole('link', { name: 'First garden' }).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Custom' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Rose bed' }).getByRole('link', { name: 'Rose bed' }).click()
  await page.getByRole('button', { name: 'Use template' }).click()
  await expect(page).toHaveURL(/\/gardens\/canvas\/./)
  await expect(flowName(page)).toHaveValue('Rose bed')
})
