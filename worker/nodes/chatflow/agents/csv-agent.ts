import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType } from '../../types.ts'
import { moderated } from '../chains/chain-answer.ts'
import { languageModelAnchor, moderationAnchor } from '../definition.ts'
import { openFiles } from '../document-loaders/flow-files.ts'
import { answerWithTools } from './agent-answer.ts'
import { describeTable, readTable, tableTool } from './csv-table.ts'

const SYSTEM_MESSAGE = 'Answer from the table. Query it with query_table and never guess its contents.'

const definition: ComponentDefinition = {
  label: 'CSV Agent',
  name: 'csvAgent',
  version: 3,
  type: 'AgentExecutor',
  category: 'Agents',
  description: 'Answers questions about a CSV file',
  hint: 'Queries the file as a table and runs no code.',
  baseClasses: ['AgentExecutor', 'BaseChain', 'Runnable'],
  inputs: [
    { label: 'CSV file', name: 'csvFile', type: 'file', fileType: '.csv' },
    languageModelAnchor,
    additionalParam('System message', 'systemMessagePrompt', {
      rows: 4,
      description: 'Instructions for the model, in addition to the table’s columns',
      placeholder: SYSTEM_MESSAGE,
    }),
    moderationAnchor,
    additionalParam('Custom pandas read_csv code', 'customReadCSV', {
      type: 'code',
      legacy: true,
      description: 'Ignored: kept for compatibility with imported flows',
    }),
  ],
}

export const csvAgent: ChatNodeType = {
  definition,
  run: (context) =>
    moderated(context, async () => {
      const [file] = await openFiles(definition, context)
      if (!file) throw new Error('CSV Agent: choose a file')
      const table = await readTable(file)
      const told = textOf(context.inputs.systemMessagePrompt).trim() || SYSTEM_MESSAGE
      return answerWithTools(context, `${told}\n\n${describeTable(table)}`, [tableTool(table, context.tables)])
    }),
}
