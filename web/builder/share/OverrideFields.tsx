import { Box, Code, chakra, Flex, Stack, Switch, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { OverridableInput } from '#contract/chatflows/chatflows.ts'
import type { Variable } from '#contract/variables/variables.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { Tick } from '../../ui/forms/Tick.tsx'
import type { ShareValues } from './settings.ts'

type Overrides = ShareValues['overrides']

interface Props {
  overrides: Overrides
  inputs: readonly OverridableInput[]
  onChange: (overrides: Overrides) => void
}

/** Chooses the inputs and variables that a call may set with `overrideConfig`. */
export function OverrideFields({ overrides, inputs, onChange }: Props) {
  const mayList = useCan()('variables:view')
  const { data: known = [] } = useQuery({ ...variablesQuery, enabled: mayList && overrides.on })
  const variables = known.filter(({ type }) => type !== 'secret')
  const nodes = [...new Set(inputs.map(({ node }) => node))]
  const setInput = (node: string, name: string, on: boolean) => {
    const names = overrides.inputs[node] ?? []
    onChange({ ...overrides, inputs: { ...overrides.inputs, [node]: withName(names, name, on) } })
  }
  return (
    <Stack gap="3">
      <Switch.Root checked={overrides.on} onCheckedChange={({ checked }) => onChange({ ...overrides, on: checked })}>
        <Switch.HiddenInput aria-describedby="overrides-help" />
        <Switch.Control />
        <Switch.Label>Let callers override settings</Switch.Label>
      </Switch.Root>
      <Text id="overrides-help" textStyle="sm" color="fg.muted">
        A call can set what you choose here in <Code>overrideConfig</Code>. Everything else keeps its value.
      </Text>
      {overrides.on && (
        <Box borderWidth="1px" borderRadius="l2" maxH="72" overflowY="auto" px="3" py="2">
          {nodes.map((node) => (
            <Group key={node} title={node} count={overrides.inputs[node]?.length ?? 0}>
              {inputs
                .filter((input) => input.node === node)
                .map(({ name, label }) => (
                  <Tick
                    key={name}
                    checked={overrides.inputs[node]?.includes(name) ?? false}
                    onChange={(on) => setInput(node, name, on)}
                  >
                    {label} <chakra.span color="fg.muted">{name}</chakra.span>
                  </Tick>
                ))}
            </Group>
          ))}
          {variables.length > 0 && (
            <Group title="Variables" count={overrides.variables.length}>
              {variables.map(({ name }) => (
                <Tick
                  key={name}
                  checked={overrides.variables.includes(name)}
                  onChange={(on) => onChange({ ...overrides, variables: withName(overrides.variables, name, on) })}
                >
                  {name}
                </Tick>
              ))}
            </Group>
          )}
        </Box>
      )}
    </Stack>
  )
}

function withName(names: readonly string[], name: string, on: boolean): string[] {
  const others = names.filter((each) => each !== name)
  return on ? [...others, name] : others
}

function Group({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <Collapsible title={count > 0 ? `${title} (${count})` : title} open={count > 0}>
      <Flex direction="column" gap="1" py="2" ps="4">
        {children}
      </Flex>
    </Collapsible>
  )
}

const variablesQuery = {
  queryKey: keys.list('variables'),
  queryFn: () => api.get<Variable[]>('/variables'),
}
