import { Flex, Link as StyledLink, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { flowPage } from '../../api/flow-link.ts'
import { calledRunsQuery } from './queries.ts'

/** Links to the flow version, the trigger, the replayed run, the calling run and the called runs. */
export function RunLineage({ execution }: { execution: ExecutionDetail }) {
  const { agentflow, flowVersion, id, trigger, replayOf, parentExecutionId } = execution
  const page = flowPage(agentflow.type, agentflow.id)
  const version = `version ${flowVersion}`
  const called = useQuery(calledRunsQuery(id)).data?.data ?? []
  return (
    <Flex wrap="wrap" columnGap="5" rowGap="1" fontSize="sm" color="fg.muted">
      <Fact label="Flow">
        {page ? (
          <StyledLink asChild variant="underline">
            <Link {...page}>{version}</Link>
          </StyledLink>
        ) : (
          version
        )}
      </Fact>
      {trigger && (
        <Fact label="Started by">
          <StyledLink asChild variant="underline">
            <Link to="/triggers/$id" params={{ id: trigger.id }}>
              {trigger.name}
            </Link>
          </StyledLink>
        </Fact>
      )}
      {replayOf && (
        <Fact label="Replay of">
          <RunLink id={replayOf}>an earlier run</RunLink>
          {' · '}
          <StyledLink asChild variant="underline">
            <Link to="/executions/compare" search={{ a: replayOf, b: id }}>
              Compare with original
            </Link>
          </StyledLink>
        </Fact>
      )}
      {parentExecutionId && (
        <Fact label="Called by">
          <RunLink id={parentExecutionId}>another run</RunLink>
        </Fact>
      )}
      {called.length > 0 && (
        <Fact label="Called">
          {called.map((run, index) => (
            <span key={run.id}>
              {index > 0 && ', '}
              <RunLink id={run.id}>{run.agentflow.name}</RunLink>
            </span>
          ))}
        </Fact>
      )}
    </Flex>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Text>
      {label} {children}
    </Text>
  )
}

export function RunLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <StyledLink asChild variant="underline">
      <Link to="/executions/$id" params={{ id }}>
        {children}
      </Link>
    </StyledLink>
  )
}
