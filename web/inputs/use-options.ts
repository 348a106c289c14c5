import { useQuery } from '@tanstack/react-query'
import type { ParamOption } from '#contract/flow/params/definition.ts'
import { api } from '../api/client.ts'
import { keys } from '../api/query.ts'
import { useCan } from '../api/use-can.ts'
import { choicesOf, emptyText, missingLabel } from './option-hints.ts'
import { type InputProps, useInputWorld } from './types.ts'

export interface LoadedOptions {
  options: readonly ParamOption[]
  loading: boolean
  /** The list is known: what it does not hold is not there. */
  complete: boolean
  /** In the words of the server. */
  error: string | undefined
  /** Asks again with what is filled in now; absent where that would change nothing. */
  reload: (() => void) | undefined
  /** Why there is nothing to choose from, and what to do about it. */
  hint: string | undefined
}

const none: readonly ParamOption[] = []
const MAY_LOAD = 'agentflows:create,agentflows:update,chatflows:create,chatflows:update'

/**
 * The choices of an asynchronous list: known here, or asked of the server. What is being typed is not sent with every
 * letter, as it may be an address with secrets beside it: a choice loads anew, the rest does when a person asks for it.
 */
export function useOptions({ param, scope }: Pick<InputProps, 'param' | 'scope'>): LoadedOptions {
  const world = useInputWorld()
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
    if (missing !== undefined) return `Fill in “${missing}” first, then the choices are loaded.`
    return may ? undefined : 'Only who may change flows can load the choices.'
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
