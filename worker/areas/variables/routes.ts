import { pageSchema } from '#contract/schemas/page.ts'
import { listOf } from '#contract/schemas/responses.ts'
import {
  createVariableSchema,
  listedVariableSchema,
  updateVariableSchema,
  variableSchema,
} from '#contract/variables/variables.ts'
import { crudRoutes } from '../../http/crud-routes.ts'
import { createVariable, deleteVariable, listVariables, updateVariable } from './store.ts'

export const routes = crudRoutes({
  path: '/variables',
  permission: 'variables',
  names: ['a variable', 'variables'],
  audited: 'variable',
  list: { query: pageSchema, answer: listOf(listedVariableSchema), handle: listVariables },
  create: { body: createVariableSchema, answer: variableSchema, handle: createVariable },
  update: { body: updateVariableSchema, answer: variableSchema, errors: ['conflict'], handle: updateVariable },
  delete: deleteVariable,
})
