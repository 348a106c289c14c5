import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType } from '../../types.ts'
import { moderated } from '../chains/chain-answer.ts'
import { languageModelAnchor, moderationAnchor } from '../definition.ts'
import { filesOf } from '../document-loaders/flow-files.ts'
import { answerWithTools } from './agent-answer.ts'
import { describeTable, readTable, tableTool } from './csv-table.ts'

const SYSTEM_MESSAGE = 'Answer from the table. Ask it with query_table, and never guess what it holds.'

const definition: ComponentDefinition = {
  label: 'CSV Agent',
  name: 'csvAgent',
  version: 3,
  type: 'AgentExecutor',
  category: 'Agents',
  description: 'Answers from a CSV file, which it asks as a table',
  hint: 'The table is queried as data. No code runs.',
  baseClasses: ['AgentExecutor', 'BaseChain', 'Runnable'],
  inputs: [
    { label: 'Csv File', name: 'csvFile', type: 'file', fileType: '.csv' },
    languageModelAnchor,
    additionalParam('System Message', 'systemMessagePrompt', {
      rows: 4,
      description: 'What the model is told besides the columns of the table',
      placeholder: SYSTEM_MESSAGE,
    }),
    moderationAnchor,
    additionalParam('Custom Pandas Read_CSV Code', 'customReadCSV', {
      type: 'code',
      legacy: true,
      description: 'Kept for files that have it: Python does not run here.',
    }),
  ],
}

export const csvAgent: ChatNodeType = {
  definition,
  run: (context) =>
    moderated(context, async () => {
      const [file] = await filesOf(definition, context)
      if (!file) throw new Error('CSV Agent: choose a file')
      const table = await readTable(file)
      const told = textOf(context.inputs.systemMessagePrompt).trim() || SYSTEM_MESSAGE
      return answerWithTools(context, `${told}\n\n${describeTable(table)}`, [tableTool(table, context.tables)])
    }),
}
