import { Box, Stack, Table, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { isRecord } from '#contract/data/json.ts'
import type { ToolCallRequest } from '#contract/runs/approvals.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { toolTitle } from './approval-text.ts'

const JsonView = lazy(async () => ({ default: (await import('../../ui/json/JsonView.tsx')).JsonView }))

/**
 * The arguments of tool calls, each as a small table, with the JSON folded below. Anonymous callers see no arguments.
 */
export default function RequestedCalls({ calls }: { calls: readonly ToolCallRequest[] }) {
  return (
    <Stack gap="3">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be called several times with the same arguments
        <Box key={index}>
          {calls.length > 1 && (
            <Text fontSize="sm" fontWeight="medium">
              {toolTitle(call.tool)}
            </Text>
          )}
          <Arguments call={call} />
        </Box>
      ))}
    </Stack>
  )
}

function Arguments({ call: { tool, toolInput } }: { call: ToolCallRequest }) {
  if (toolInput === undefined) return null
  const rows = isRecord(toolInput) ? Object.entries(toolInput) : [['Input', toolInput] as const]
  return (
    <Stack gap="1">
      {rows.length > 0 && (
        <Table.ScrollArea
          borderWidth="1px"
          borderRadius="lg"
          maxH="60"
          tabIndex={0}
          aria-label={`Arguments of ${toolTitle(tool)}`}
        >
          <Table.Root size="sm">
            <Table.Body>
              {rows.map(([name, value]) => (
                <Table.Row key={name} bg="bg.panel">
                  <Table.ColumnHeader scope="row" w="1%" whiteSpace="nowrap" verticalAlign="top" color="fg.muted">
                    {name}
                  </Table.ColumnHeader>
                  <Table.Cell whiteSpace="pre-wrap" overflowWrap="anywhere">
                    {typeof value === 'string' ? value : JSON.stringify(value)}
                  </Table.Cell>
                </Table.Row>
              ))}
            </Table.Body>
          </Table.Root>
        </Table.ScrollArea>
      )}
      {typeof toolInput === 'object' && toolInput !== null && (
        <Collapsible title="JSON">
          <Suspense fallback={null}>
            <JsonView label={`JSON of ${toolTitle(tool)}`} value={toolInput} />
          </Suspense>
        </Collapsible>
      )}
    </Stack>
  )
}
