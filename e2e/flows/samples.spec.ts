/** Files as other products write them: one of our own, and those beside the repository where there are any. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { expectSaved, flowIdOf, flowName, nodes } from '../support/canvas.ts'
import { chooseFlowFile, exportFromCanvas } from '../support/files.ts'
import type { Reply } from '../support/model-server.ts'
import { expect, test } from '../support/test.ts'

const folders = [
  join(import.meta.dirname, '../samples'),
  join(import.meta.dirname, '../../../shared/samples/flowise/agentflows'),
]
const haveSamples = folders.every(existsSync)
const files = folders.filter(existsSync).flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))

test('finds the sample flows beside the repository', () => {
  test.skip(!haveSamples, 'The sample flows are not part of a public clone')
  expect(files.length).toBeGreaterThanOrEqual(8)
})

async function importFile(page: Page, file: string) {
  await chooseFlowFile(page, file)
  await page.getByRole('button', { name: 'Import and open' }).click()
  await expect(page).toHaveURL(/agentcanvas\/[\w-]+$/)
  await expect(nodes(page).first()).toBeVisible()
}

for (const file of files) {
  const name = basename(file, '.json')
  test(`“${name}” opens, is saved and leaves again as it came`, async ({ page, api }) => {
    const original = JSON.parse(await readFile(file, 'utf8')) as FlowDocument
    await importFile(page, file)
    await expect(flowName(page)).toHaveValue(name)
    await expect(nodes(page)).toHaveCount(original.nodes.length)
    for (const { data } of original.nodes) {
      if (!data.name.startsWith('stickyNote'))
        await expect(page.getByText(data.label, { exact: true }).first()).toBeAttached()
    }
    await expectSaved(page)

    await flowName(page).fill(`${name}, saved`)
    await page.keyboard.press('Control+s')
    await expectSaved(page)
    const { viewport: _, ...stored } = await api.readFlow(flowIdOf(page))
    expect(stored).toEqual(original)
    await page.reload()
    await expect(flowName(page)).toHaveValue(`${name}, saved`)
    expect(await exportFromCanvas(page)).toEqual(original)
  })
}

/** What the model answers to the files that use only what is built. */
const answers: Record<string, Reply> = {
  Translator: { text: 'こんにちは' },
  'Structured Output': { json: { output: [{ answer: 'Twill', reason: 'It is strong' }] } },
}

for (const file of files.filter((each) => basename(each, '.json') in answers)) {
  const name = basename(file, '.json')
  test(`“${name}” runs`, async ({ page, api, model }) => {
    await importFile(page, file)
    const id = flowIdOf(page)
    const flow = await api.readFlow(id)
    const llm = flow.nodes.find(({ data }) => data.name === 'llmAgentflow')
    if (!llm) throw new Error('The file has no LLM')
    const config = { llmModel: 'chatOpenAICustom', modelName: 'scripted', basepath: model.baseUrl }
    llm.data.inputs = { ...llm.data.inputs, llmModel: 'chatOpenAICustom', llmModelConfig: config }
    await api.put(`/chatflows/${id}`, { flowData: JSON.stringify(flow) })

    const answer = answers[name] as Reply
    model.reply(answer)
    const { text } = await api.post<{ text: string }>(`/prediction/${id}`, { question: 'Which cloth?' })
    if (answer.json) expect(JSON.parse(text)).toEqual(answer.json)
    else expect(text).toBe(answer.text)
    const asked = JSON.stringify(model.requests[0]?.body.messages)
    expect(asked).toContain('Which cloth?')
    expect(asked).not.toContain('<p>')
  })
}
