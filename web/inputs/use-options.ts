import { useQuery } from '@tanstack/react-query'
import type { ParamOption } from '#contract/flow/params/definition.ts'
import { api } from '../api/client.ts'
import { keys } from '../api/query.ts'
import { useCan } from '../api/use-can.ts'
import { choicesOf, emptyText, missingLabel } from './option-hints.ts'
import { type InputProps, useInputEnvironment } from './types.ts'

export interface LoadedOptions {
  options: readonly ParamOption[]
  loading: boolean
  /** The list is complete, so missing values are unavailable. */
  complete: boolean
  /** The server's message. */
  error: string | undefined
  /** Reloads with the current values; undefined when the list isn't loaded. */
  reload: (() => void) | undefined
  /** Explains an empty list. */
  hint: string | undefined
}

const none: readonly ParamOption[] = []
export const EDITS_FLOWS =
  'agentflows:create,agentflows:update,chatflows:create,chatflows:update,assistants:create,assistants:update'
const MAY_LOAD = `${EDITS_FLOWS},documentStores:view,documentStores:create,documentStores:update`

/**
 * Returns the known or loaded options of a parameter. Choices reload the list; typed values, which can contain
 * secrets, are only sent on request.
 */
export function useOptions({ param, scope }: Pick<InputProps, 'param' | 'scope'>): LoadedOptions {
  const world = useInputEnvironment()
  const may = useCan()(MAY_LOAD)
  const known = world.knownOptions(param)
  const missing = param.refresh && !scope.at ? missingLabel(param, scope.params, scope.inputs) : undefined
  const asks = known === undefined && param.loadMethod !== undefined && may && missing === undefined
  const choices = choicesOf(scope.params, scope.inputs, world.component)
  const query = useQuery({
    queryKey: keys.list('node-load-method', {
      owner: world.owner,
      method: param.loadMethod,
      node: world.node()?.id,
      choices,
    }),
    queryFn: () =>
      api.post<ParamOption[]>(`/node-load-method/${world.owner}`, {
        loadMethod: param.loadMethod,
        inputs: scope.inputs,
        currentNode: world.node(),
        previousNodes: world.previousNodes(),
        ...(world.flowId ? { chatflowId: world.flowId } : {}),
      }),
    enabled: asks,
    retry: false,
    staleTime: param.refresh ? Number.POSITIVE_INFINITY : 10_000,
    refetchOnWindowFocus: false,
  })
  const options = known ?? (asks ? query.data : undefined)
  const hint = () => {
    if (options) return options.length === 0 ? emptyText(param) : undefined
    if (missing !== undefined) return `Fill in “${missing}” to load the options.`
    return may ? undefined : 'You need permission to edit flows to load these options.'
  }
  return {
    options: options ?? none,
    loading: asks && query.isFetching,
    complete: options !== undefined && !query.isError,
    error: asks && !query.isFetching ? query.error?.message : undefined,
    reload: asks ? () => void query.refetch() : undefined,
    hint: hint(),
  }
}
