import { Checkbox, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { LoadState } from './LoadState.tsx'
import { chosenOf, printChosen } from './simple.tsx'
import type { InputProps } from './types.ts'
import { useOptions } from './useOptions.ts'

/** Several choices of a list that the server is asked for: the tools of an MCP server. */
export function AsyncMultiOptionsInput(props: InputProps) {
  const { id, param, value, onChange } = props
  const loaded = useOptions(props)
  const chosen = chosenOf(value)
  const known = new Set(loaded.options.map((option) => option.name))
  const gone = [...chosen]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, label: name, description: undefined }))
  const all = [...loaded.options, ...gone]
  const toggle = (name: string, on: boolean) =>
    onChange(printChosen(all.map((option) => option.name).filter((each) => (each === name ? on : chosen.has(each)))))
  return (
    <>
      <Stack
        id={id}
        gap="2"
        role="group"
        aria-label={param.label}
        aria-busy={loaded.loading}
        maxHeight="260px"
        overflowY="auto"
        borderWidth={all.length > 0 ? '1px' : '0'}
        rounded="lg"
        p={all.length > 0 ? '2' : '0'}
      >
        {loaded.loading && all.length === 0 && <Skeleton h="16" />}
        {all.map((option) => (
          <Checkbox.Root
            key={option.name}
            size="sm"
            colorPalette="accent"
            alignItems="start"
            checked={chosen.has(option.name)}
            onCheckedChange={(change) => toggle(option.name, change.checked === true)}
          >
            <Checkbox.HiddenInput />
            <Checkbox.Control mt="0.5" />
            <Checkbox.Label fontWeight="normal">
              <Text as="span" fontWeight="medium">
                {option.label}
              </Text>
              {!known.has(option.name) && !loaded.loading && (
                <Text as="span" color="fg.muted">
                  {' '}
                  (not available here)
                </Text>
              )}
              {option.description && (
                <Text fontSize="xs" color="fg.muted">
                  {option.description}
                </Text>
              )}
            </Checkbox.Label>
          </Checkbox.Root>
        ))}
      </Stack>
      {loaded.options.length > 1 && (
        <Flex gap="3" mt="1" fontSize="xs">
          <Text color="fg.muted">
            {chosen.size} of {all.length} chosen
          </Text>
        </Flex>
      )}
      <LoadState loaded={loaded} refreshes={param.refresh ?? false} />
    </>
  )
}
