import { useQuery } from '@tanstack/react-query'
import { isBlank } from '#contract/flow/blank.ts'
import type { InputParam, ParamOption } from '#contract/flow/definition.ts'
import { type Inputs, visibleParams } from '#contract/flow/params.ts'
import { api } from '../api/client.ts'
import { useCan } from '../api/use-can.ts'
import { type InputProps, useInputWorld } from './types.ts'

export interface LoadedOptions {
  options: readonly ParamOption[]
  loading: boolean
  /** In the words of the server. */
  error: string | undefined
  /** Asks again with what is filled in now; absent for lists that are known here. */
  reload: (() => void) | undefined
  /** What has to be filled in before there is something to choose from. */
  missing: string | undefined
}

const none: readonly ParamOption[] = []

/**
 * The choices of an asynchronous list: known here, or asked of the server. What is being typed is not sent with every
 * letter, as it may be an address with secrets beside it: a choice loads anew, the rest does when a person asks for it.
 */
export function useOptions({ param, scope }: Pick<InputProps, 'param' | 'scope'>): LoadedOptions {
  const world = useInputWorld()
  const known = world.knownOptions(param)
  const may = useCan()('agentflows:create,agentflows:update,chatflows:create,chatflows:update')
  const missing = param.refresh && !scope.at ? missingLabel(param, scope.params, scope.inputs) : undefined
  const query = useQuery({
    queryKey: [
      'node-load-method',
      world.owner,
      param.loadMethod,
      world.node()?.id,
      choicesOf(scope.params, scope.inputs),
    ],
    queryFn: () =>
      api.post<ParamOption[]>(`/node-load-method/${world.owner}`, {
        loadMethod: param.loadMethod,
        inputs: scope.inputs,
        currentNode: world.node(),
        previousNodes: world.previousNodes(),
        ...(world.flowId ? { chatflowId: world.flowId } : {}),
      }),
    enabled: known === undefined && param.loadMethod !== undefined && may && missing === undefined,
    retry: false,
    staleTime: param.refresh ? Number.POSITIVE_INFINITY : 10_000,
    refetchOnWindowFocus: false,
  })
  return {
    options: known ?? query.data ?? none,
    loading: known === undefined && query.isFetching,
    error: query.isFetching ? undefined : query.error?.message,
    reload: known === undefined && missing === undefined ? () => void query.refetch() : undefined,
    missing,
  }
}

const CHOICES = new Set(['options', 'asyncOptions', 'credential', 'boolean'])

/** The values that are chosen rather than typed. */
export const choicesOf = (params: readonly InputParam[], inputs: Inputs): unknown[] =>
  params.filter((param) => CHOICES.has(param.type)).map((param) => inputs[param.name])

/** The first input that the list depends on and that is empty. */
export function missingLabel(of: InputParam, params: readonly InputParam[], inputs: Inputs): string | undefined {
  return visibleParams(params, inputs).find(
    (param) =>
      param.name !== of.name && !param.optional && !param.refresh && isBlank(inputs[param.name] ?? param.default),
  )?.label
}
