import { Button, Stack } from '@chakra-ui/react'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExecutionActions } from './ExecutionActions.tsx'
import { ExecutionView } from './ExecutionView.tsx'
import { PageState } from './PageState.tsx'
import { QuestionAnswer } from './QuestionAnswer.tsx'
import { executionQuery, isCopied } from './queries.ts'
import { RunLineage } from './RunLineage.tsx'
import { StepAbout } from './StepAbout.tsx'

interface ExecutionPageProps {
  id: string
  step: string | undefined
  onStep: (step: string) => void
}

/** An execution with its steps. The selected step is in the URL, so that links share the view. */
export function ExecutionPage({ id, step, onStep }: ExecutionPageProps) {
  const query = useQuery(executionQuery(id))
  return (
    <PageState isPage query={query} missing="It was deleted, or it belongs to another workspace.">
      {(execution) => (
        <Stack gap="3">
          <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" color="fg.muted">
            <Link to="/executions">
              <IconArrowLeft size={16} aria-hidden /> All executions
            </Link>
          </Button>
          <ExecutionView
            execution={execution}
            flowId={execution.agentflowId}
            isCopied={(item) => isCopied(execution, item)}
            step={step}
            onStep={onStep}
            actions={<ExecutionActions execution={execution} />}
            origin={
              <>
                <RunLineage execution={execution} />
                <QuestionAnswer execution={execution} />
              </>
            }
            about={(item, path) => <StepAbout execution={execution} item={item} path={path} />}
          />
        </Stack>
      )}
    </PageState>
  )
}
