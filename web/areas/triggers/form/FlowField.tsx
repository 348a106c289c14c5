import { Input, NativeSelect, Stack } from '@chakra-ui/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Field } from '../../../ui/forms/Form.tsx'
import { flowChoicesQuery, MAX_FLOWS } from '../queries.ts'

interface FlowFieldProps {
  value: string
  error?: string
  onChange: (flowId: string, name: string) => void
}

/** Picks a flow, with a search field when there are more than the list holds. */
export function FlowField({ value, error, onChange }: FlowFieldProps) {
  const [search, setSearch] = useState('')
  const { data, error: failure } = useQuery({
    ...flowChoicesQuery(useDeferredValue(search.trim())),
    placeholderData: keepPreviousData,
  })
  const flows = data?.data ?? []
  const showsSearch = search !== '' || (data?.total ?? 0) > MAX_FLOWS
  return (
    <Stack gap="2">
      {showsSearch && (
        <Input
          type="search"
          aria-label="Find a flow"
          placeholder="Find a flow"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <Field
        label="Flow"
        help={data?.total === 0 && search === '' ? 'No flows yet. Create one under Agentflows first.' : undefined}
        error={failure ? `Couldn’t load flows: ${failure.message}` : error}
      >
        <NativeSelect.Root>
          <NativeSelect.Field
            value={value}
            onChange={(event) => {
              const flow = flows.find(({ id }) => id === event.target.value)
              onChange(event.target.value, flow?.name ?? '')
            }}
          >
            <option value="">Choose a flow…</option>
            {flows.map((flow) => (
              <option key={flow.id} value={flow.id}>
                {flow.name}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
    </Stack>
  )
}
