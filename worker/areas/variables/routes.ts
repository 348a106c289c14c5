import * as z from 'zod'
import { deletedSchema, listOf } from '#contract/schemas/responses.ts'
import { createVariableSchema, pageSchema, updateVariableSchema, variableSchema } from '#contract/variables.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { createVariable, deleteVariable, listVariables, updateVariable } from './store.ts'

const byId = z.object({ id: z.string().max(100) })

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/variables',
    summary: 'List variables',
    answer: listOf(variableSchema),
    access: { permission: 'variables:view' },
    query: pageSchema,
    async handle({ query, actor, services }) {
      return listVariables(services, memberOf(actor), query)
    },
  }),

  route({
    method: 'POST',
    path: '/variables',
    summary: 'Create a variable',
    answer: variableSchema,
    access: { permission: 'variables:create' },
    body: createVariableSchema,
    async handle({ body, actor, services }) {
      return createVariable(services, memberOf(actor), body)
    },
  }),

  route({
    method: 'PUT',
    path: '/variables/:id',
    summary: 'Change a variable',
    answer: variableSchema,
    access: { permission: 'variables:create,variables:update' },
    params: byId,
    body: updateVariableSchema,
    async handle({ params, body, actor, services }) {
      return updateVariable(services, memberOf(actor), { id: params.id, values: body })
    },
  }),

  route({
    method: 'DELETE',
    path: '/variables/:id',
    summary: 'Delete a variable',
    answer: deletedSchema,
    access: { permission: 'variables:delete' },
    params: byId,
    async handle({ params, actor, services }) {
      return deleteVariable(services, memberOf(actor), params.id)
    },
  }),
]
