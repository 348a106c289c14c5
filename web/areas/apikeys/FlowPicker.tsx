import { Box, Checkbox, Input, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { withChoice } from '../../ui/forms/permission-choice.ts'
import { runnableFlowsQuery } from './queries.ts'

interface Props {
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

/** Picks the flows that a key may run. */
export function FlowPicker({ chosen, onChange }: Props) {
  const { data, error, isPending } = useQuery(runnableFlowsQuery)
  const [search, setSearch] = useState('')
  if (isPending) return <Skeleton h="32" mt="3" />
  if (error) return <Notice kind="danger">Couldn’t load flows: {error.message}</Notice>
  const shown = data.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <Stack gap="2" mt="3">
      {data.length > FEW && (
        <Input
          size="sm"
          aria-label="Search flows"
          placeholder="Search flows"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <Box borderWidth="1px" borderRadius="l2" maxH="60" overflowY="auto" px="4" py="2">
        {shown.length === 0 && (
          <Text textStyle="sm" color="fg.muted">
            No flows found.
          </Text>
        )}
        {shown.map(({ id, name }) => (
          <Checkbox.Root
            key={id}
            display="flex"
            size="sm"
            minH="7"
            colorPalette="accent"
            checked={chosen.includes(id)}
            onCheckedChange={({ checked }) => onChange(withChoice(chosen, [id], checked === true))}
          >
            <Checkbox.HiddenInput />
            <Checkbox.Control />
            <Checkbox.Label truncate>{name}</Checkbox.Label>
          </Checkbox.Root>
        ))}
      </Box>
    </Stack>
  )
}

/** Above this a search is worth its place. */
const FEW = 8
