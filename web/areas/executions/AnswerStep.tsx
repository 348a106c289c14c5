import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { HumanAnswer, TraceItem } from '#contract/events.ts'
import type { SharedExecution } from '#contract/executions.ts'
import { keys } from '../../api/query.ts'
import { Approval } from '../../chat/Approval.tsx'
import { answerRun } from '../../chat/answer-run.ts'
import { notify } from '../../state/notify.ts'
import { EXECUTIONS, PUBLIC_EXECUTIONS } from './queries.ts'

interface AnswerStepProps {
  execution: Pick<SharedExecution, 'id'>
  /** Of the run of a member's own workspace. */
  flowId: string | undefined
  item: TraceItem
  /** Moves the focus to the question. */
  takesFocus?: boolean
  onAnswered: () => void
}

/** What one waiting step asks. The page then shows how the run goes on. */
export function AnswerStep({ execution, flowId, item, takesFocus, onAnswered }: AnswerStepProps) {
  const client = useQueryClient()
  const action = item.data.output?.humanInputAction
  const look = () =>
    client.invalidateQueries({ queryKey: keys.one(flowId ? EXECUTIONS : PUBLIC_EXECUTIONS, execution.id) })
  const answer = useMutation({
    mutationFn: (given: HumanAnswer) =>
      answerRun({ flowId, executionId: execution.id, actionId: action?.id ?? '', ...given }, ({ event }) => {
        if (event === 'agentFlowEvent') void look()
      }),
    onSuccess: ({ late }) => late && notify.info(late),
    onError: (error) => notify.error(`The answer was not taken: ${error.message}`),
    onSettled: look,
  })
  if (!action) return null
  return (
    <Approval
      action={action}
      question={item.data.output?.content ?? ''}
      busy={answer.isPending}
      takesFocus={takesFocus}
      onAnswer={(given) => {
        onAnswered()
        answer.mutate(given)
      }}
    />
  )
}
