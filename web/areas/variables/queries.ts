import { queryOptions } from '@tanstack/react-query'
import type { ListedVariable, Variable } from '#contract/variables/variables.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'variables'

/** A secret without a value keeps the stored one. */
export type VariableFields = Pick<Variable, 'name' | 'type'> & { value?: string | undefined }

export const TYPE_LABELS: Record<Variable['type'], string> = { static: 'Static', runtime: 'Runtime', secret: 'Secret' }

export const variablesQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<ListedVariable[]>('/variables'),
})

/** Creates a variable, or updates the one with `id`. */
export async function saveVariable(fields: VariableFields, id?: string): Promise<void> {
  await (id ? api.put(`/variables/${id}`, fields) : api.post('/variables', fields))
  await invalidate(AREA)
}

export async function deleteVariable(id: string): Promise<void> {
  await api.delete(`/variables/${id}`)
  await invalidate(AREA)
}
