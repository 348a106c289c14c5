import { Button, Checkbox, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { LoadState } from './LoadState.tsx'
import { optionIds, parseChosen, printChosen } from './simple.tsx'
import type { InputProps } from './types.ts'
import { useOptions } from './use-options.ts'

/** Multiple choices from a list loaded from the server, such as the tools of an MCP server. */
export function AsyncMultiOptionsInput(props: InputProps) {
  const { id, param, value, onChange } = props
  const loaded = useOptions(props)
  const chosen = parseChosen(value)
  const known = new Set(loaded.options.map((option) => option.name))
  const unknown = [...chosen].filter((name) => !known.has(name)).map((name) => ({ name, label: name, description: '' }))
  const all = [...loaded.options, ...unknown]
  const choose = (wanted: (name: string) => boolean) =>
    onChange(printChosen(all.map((option) => option.name).filter(wanted)))
  const toggle = (name: string, on: boolean) => choose((each) => (each === name ? on : chosen.has(each)))
  return (
    <>
      {loaded.options.length > 2 && (
        <Flex gap="1" mb="1" align="center">
          <Text fontSize="xs" color="fg.muted" flex="1">
            {chosen.size} of {all.length} selected
          </Text>
          <Button size="2xs" variant="ghost" onClick={() => choose((name) => known.has(name))}>
            All
          </Button>
          <Button size="2xs" variant="ghost" onClick={() => choose(() => false)}>
            None
          </Button>
        </Flex>
      )}
      {loaded.loading && all.length === 0 && <Skeleton h="16" />}
      <Stack
        id={id}
        gap="2"
        role="group"
        aria-label={param.label}
        aria-busy={loaded.loading}
        maxHeight="260px"
        overflowY="auto"
        {...(all.length > 0 && { borderWidth: '1px', rounded: 'lg', p: '2' })}
      >
        {all.map((option) => (
          <Checkbox.Root
            key={option.name}
            ids={optionIds(id, option.name)}
            size="sm"
            colorPalette="accent"
            alignItems="start"
            checked={chosen.has(option.name)}
            onCheckedChange={(change) => toggle(option.name, change.checked === true)}
          >
            <Checkbox.HiddenInput />
            <Checkbox.Control mt="0.5" />
            <Checkbox.Label fontWeight="normal" overflowWrap="anywhere">
              <Text as="span" fontWeight="medium">
                {option.label}
              </Text>
              {loaded.complete && !known.has(option.name) && (
                <Text as="span" color="fg.muted">
                  {' '}
                  (not available)
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
      <LoadState loaded={loaded} refreshes={param.refresh ?? false} />
    </>
  )
}
