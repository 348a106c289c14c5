import { Box, Button, Flex, Stack, Text } from '@chakra-ui/react'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { orphanedEdges } from '#contract/flow/document/orphans.ts'
import type { Problem } from '#contract/flow/rules/problem.ts'
import { removeEdgesById } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'

/** The flow's issues. Each line opens its node and field. */
export function Checklist({ onOpen }: { onOpen: (nodeId: string, param?: string) => void }) {
  const canvas = useCanvas()
  const { problems, flow } = useSnapshot(canvas.state)
  const orphans = orphanedEdges(flow, canvas.kind.flow)
  if (problems.all.length === 0) {
    return (
      <Flex align="center" gap="2" p="4" color="fg.success">
        <IconCircleCheck size={20} aria-hidden />
        <Text fontSize="sm">No issues. This flow is ready to run.</Text>
      </Flex>
    )
  }
  return (
    <Stack gap="2" p="3">
      {orphans.length > 0 && (
        <Button
          size="xs"
          variant="outline"
          alignSelf="start"
          onClick={() =>
            removeEdgesById(
              canvas,
              orphans.map((edge) => edge.id),
            )
          }
        >
          Remove {orphans.length === 1 ? 'the connection' : `${orphans.length} connections`} leading nowhere
        </Button>
      )}
      <Stack as="ul" listStyleType="none" gap="1">
        {problems.all.map((problem, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two problems of a node may read the same
          <li key={index}>
            <ProblemLine problem={problem} onOpen={onOpen} />
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

function ProblemLine({ problem, onOpen }: { problem: Problem; onOpen: (nodeId: string, param?: string) => void }) {
  const { nodeId, label, issue, param, severity } = problem
  const isError = severity === 'error'
  const Icon = isError ? IconAlertCircle : IconAlertTriangle
  return (
    <Button
      variant="ghost"
      size="sm"
      width="full"
      height="auto"
      py="2"
      px="2"
      gap="2"
      alignItems="start"
      justifyContent="start"
      disabled={nodeId === null}
      _disabled={{ opacity: 1, cursor: 'default' }}
      onClick={() => nodeId !== null && onOpen(nodeId, param)}
    >
      <Box color={isError ? 'fg.error' : 'fg.warning'} flex="none">
        <Icon size={16} role="img" aria-label={isError ? 'Error' : 'Warning'} />
      </Box>
      <Text textAlign="start" whiteSpace="normal" fontWeight="normal">
        <b>{label}</b> {issue}
      </Text>
    </Button>
  )
}
