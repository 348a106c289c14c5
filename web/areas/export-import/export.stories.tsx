import { expect, role, story, text } from '../../workshop/story.tsx'
import ExportDialog from './ExportDialog.tsx'

const file = { FileDefaultName: 'ExportData.json', AgentFlowV2: [{ id: 'f', name: 'Roses' }] }
const note = 'The source file root.yaml of “Roses”, whose bytes are lost'

story(
  'an export that lacks a file says which one',
  (tell) => <ExportDialog onClose={() => tell('closed')} />,
  async ({ told }) => {
    await role('button', 'Export').click()
    await expect.element(text('The file is not complete')).toBeVisible()
    await expect.element(text(`It lacks: ${note}.`)).toBeVisible()
    expect(told).toEqual(['closed'])
  },
  { answers: { 'POST /export-import/export': { ...file, notExported: [{ note }] } } },
)

story(
  'an export with everything in it needs no word',
  (tell) => <ExportDialog onClose={() => tell('closed')} />,
  async ({ told }) => {
    await role('button', 'Export').click()
    await expect.poll(() => told).toEqual(['closed'])
    expect(role('alert').elements()).toEqual([])
  },
  { answers: { 'POST /export-import/export': file } },
)
