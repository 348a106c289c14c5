import { Input, NativeSelect, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { InputParam, ParamOption } from '#contract/flow/definition.ts'
import { api } from '../api/client.ts'
import { asText, type InputProps, type InputWorld, useInputWorld } from './types.ts'

/** A choice from a list that is known here (models, tools, state keys) or that the server is asked for. */
export function AsyncOptionsInput({ id, param, value, onChange, onDone }: InputProps) {
  const world = useInputWorld()
  const listId = useId()
  const { options, error, loading } = useOptions(param, world)
  const chosen = asText(value)
  if (param.freeSolo) {
    return (
      <>
        <Input
          id={id}
          size="sm"
          list={listId}
          placeholder={param.placeholder}
          value={chosen}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onDone}
        />
        <datalist id={listId}>
          {options.map((option) => (
            <option key={option.name} value={option.name} label={option.label} />
          ))}
        </datalist>
      </>
    )
  }
  const known = options.some((option) => option.name === chosen)
  return (
    <>
      <NativeSelect.Root size="sm">
        <NativeSelect.Field id={id} value={chosen} onChange={(event) => onChange(event.target.value)}>
          <option value="">{loading ? 'Loading…' : 'Choose…'}</option>
          {!known && chosen !== '' && (
            <option value={chosen}>{loading ? chosen : `${chosen} (not available here)`}</option>
          )}
          {options.map((option) => (
            <option key={option.name} value={option.name}>
              {option.label}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      {error && (
        <Text fontSize="xs" color="fg.error" mt="1">
          The choices could not be loaded: {error}
        </Text>
      )}
    </>
  )
}

const none: readonly ParamOption[] = []

function useOptions(param: InputParam, world: InputWorld) {
  const known = world.knownOptions(param)
  const query = useQuery({
    queryKey: ['node-load-method', world.owner, param.loadMethod],
    queryFn: () => api.post<ParamOption[]>(`/node-load-method/${world.owner}`, { loadMethod: param.loadMethod }),
    enabled: known === undefined && param.loadMethod !== undefined,
  })
  return {
    options: known ?? query.data ?? none,
    loading: known === undefined && query.isLoading,
    error: query.error?.message,
  }
}
