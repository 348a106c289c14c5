import { chakra, Spinner, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useContext, useState } from 'react'
import { toolTitle } from '../approvals/approval-text.ts'
import { ChatLook } from '../chat-look.ts'
import type { Answer, StepMark } from '../conversation.ts'
import { StepMarks } from './StepMarks.tsx'
import { stepName } from './step-name.ts'

const StoredSteps = lazy(() => import('./StoredSteps.tsx'))

type StepsProps = Pick<Answer, 'steps' | 'stepCount' | 'usedTools' | 'calling' | 'executionId'> & { running: boolean }

/** The steps of a run, collapsed under the answer. While running, the summary says what happens now. */
export function Steps({ steps, stepCount = steps.length, usedTools, calling, executionId, running }: StepsProps) {
  const { forMembers } = useContext(ChatLook)
  const [isOpen, setIsOpen] = useState(false)
  if (stepCount === 0) return null
  return (
    <chakra.details fontSize="sm" color="fg.muted" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <chakra.summary cursor="pointer" minH="6" aria-live="polite">
        {(running && activity(steps, calling)) || `${stepCount} ${stepCount === 1 ? 'step' : 'steps'}`}
      </chakra.summary>
      {steps.length === 0 && forMembers && executionId && isOpen ? (
        <Suspense fallback={<Spinner size="xs" />}>
          <StoredSteps executionId={executionId} tools={usedTools} />
        </Suspense>
      ) : (
        <StepMarks steps={steps} tools={usedTools} />
      )}
      {forMembers && executionId && !running && (
        <TextLink asChild fontSize="xs" mt="1">
          <Link to="/executions/$id" params={{ id: executionId }} target="_blank">
            View run
          </Link>
        </TextLink>
      )}
    </chakra.details>
  )
}

function activity(steps: readonly StepMark[], [tool]: readonly string[]): string {
  if (tool !== undefined) return `Calling ${toolTitle(tool)}…`
  const now = steps.findLast((step) => step.status === 'INPROGRESS')
  return now ? `${stepName(now)}…` : ''
}
