import { Stack } from '@chakra-ui/react'
import type { Approval } from '#contract/runs/approvals.ts'
import { Decision, PastRequest } from './Decision.tsx'

/** The answered questions of a step, oldest first. */
export function Approvals({ approvals }: { approvals: readonly Approval[] }) {
  if (approvals.length === 0) return null
  return (
    <Stack as="ol" listStyleType="none" gap="2" aria-label="Approvals">
      {approvals.map((approval) => (
        <Stack as="li" key={approval.at} gap="1" borderWidth="1px" borderRadius="l2" bg="bg.panel" px="3" py="2">
          <Decision approval={approval} />
          {approval.toolCalls && approval.toolCalls.length > 0 && (
            <PastRequest nodeLabel={approval.nodeLabel} calls={approval.toolCalls} />
          )}
        </Stack>
      ))}
    </Stack>
  )
}
