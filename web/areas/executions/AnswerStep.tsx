import { useMutation, useQueryClient } from '@tanstack/react-query'
import { OUTSIDER, waitingNote } from '#contract/runs/approvers.ts'
import type { HumanAnswer, TraceItem } from '#contract/runs/events.ts'
import type { SharedExecution } from '#contract/runs/executions.ts'
import { keys } from '../../api/query.ts'
import { useStanding } from '../../api/use-standing.ts'
import { Approval } from '../../chat/approvals/Approval.tsx'
import { answerRun } from '../../chat/approvals/answer-run.ts'
import { notify } from '../../state/notify.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { EXECUTIONS, PUBLIC_EXECUTIONS } from './queries.ts'

interface AnswerStepProps {
  execution: Pick<SharedExecution, 'id'>
  /** Set for members of the run's workspace; absent on the public page. */
  flowId: string | undefined
  item: TraceItem
  /** Moves the focus to the question when it appears. */
  shouldFocus?: boolean
  onAnswered: () => void
}

/** The approval form of a waiting step. Reloads the execution after the answer. */
export function AnswerStep({ execution, flowId, item, shouldFocus, onAnswered }: AnswerStepProps) {
  const client = useQueryClient()
  const standing = useStanding()
  const action = item.data.output?.humanInputAction
  const refresh = () =>
    client.invalidateQueries({ queryKey: keys.one(flowId ? EXECUTIONS : PUBLIC_EXECUTIONS, execution.id) })
  const answer = useMutation({
    mutationFn: (given: HumanAnswer) =>
      answerRun({ flowId, executionId: execution.id, actionId: action?.id ?? '', ...given }, ({ event }) => {
        if (event === 'agentFlowEvent') void refresh()
      }),
    onSuccess: ({ conflict }) => conflict && notify.info(conflict),
    onError: (error) => notify.error(`Couldn’t send your answer: ${error.message}`),
    onSettled: refresh,
  })
  if (!action) return null
  const note = waitingNote(action, flowId ? standing : OUTSIDER)
  if (note) return <Notice kind="info">{note}</Notice>
  return (
    <Approval
      action={action}
      question={item.data.output?.content ?? ''}
      busy={answer.isPending}
      shouldFocus={shouldFocus}
      onAnswer={(given) => {
        onAnswered()
        answer.mutate(given)
      }}
    />
  )
}
