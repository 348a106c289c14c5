/** Files that a person chooses and gets. */
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** Returns a JSON file for `setInputFiles`. */
export const jsonFile = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
})

export const readDownload = async (download: Download): Promise<unknown> =>
  JSON.parse(await readFile(await download.path(), 'utf8'))

/** Chooses a flow's file on the list of flows; a dialog then tells what would become of it. */
export async function chooseFlowFile(page: Page, file: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  await page.goto('/agentflows')
  const empty = page.getByRole('heading', { name: 'Create your first agent flow' })
  await expect(empty.or(page.getByRole('button', { name: /^Actions for/ }).first())).toBeVisible()
  await page.getByLabel('Flow file').setInputFiles(file)
}

/** The open flow as it leaves the canvas. */
export async function exportFromCanvas(page: Page): Promise<unknown> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export to a file' }).click()
  return readDownload(await download)
}
