import { Button, Flex, Stack, Switch } from '@chakra-ui/react'
import { IconArrowLeft, IconLink } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ExecutionDetail } from '#contract/executions.ts'
import { notify } from '../../ui/notify.ts'
import { ExecutionView } from './ExecutionView.tsx'
import { PageState } from './PageState.tsx'
import { executionQuery, shareExecution } from './queries.ts'

/** One execution with its steps; the step shown is in the URL, so that a link shows what I see. */
export function ExecutionPage({ id, step, onStep }: { id: string; step: number; onStep: (step: number) => void }) {
  const query = useQuery(executionQuery(id))
  return (
    <PageState query={query} missing="This execution does not exist or was deleted.">
      {(execution) => (
        <Stack gap="3">
          <BackToList />
          <ExecutionView
            execution={execution}
            step={step}
            onStep={onStep}
            actions={<Sharing execution={execution} />}
          />
        </Stack>
      )}
    </PageState>
  )
}

function BackToList() {
  return (
    <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" color="fg.muted">
      <Link to="/executions">
        <IconArrowLeft size={16} aria-hidden /> All executions
      </Link>
    </Button>
  )
}

function Sharing({ execution }: { execution: ExecutionDetail }) {
  const client = useQueryClient()
  const share = useMutation({
    mutationFn: (isPublic: boolean) => shareExecution(execution.id, isPublic),
    onSuccess: () => client.invalidateQueries({ queryKey: ['executions', execution.id] }),
    onError: (error) => notify.error(`Sharing was not changed: ${error.message}`),
  })
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${location.origin}/execution/${execution.id}`)
    notify.success('Link copied')
  }
  return (
    <Flex gap="3" align="center">
      {execution.isPublic && (
        <Button size="sm" variant="outline" onClick={copyLink}>
          <IconLink size={16} aria-hidden /> Copy link
        </Button>
      )}
      <Switch.Root
        checked={execution.isPublic}
        disabled={share.isPending}
        onCheckedChange={({ checked }) => share.mutate(checked)}
      >
        <Switch.HiddenInput />
        <Switch.Control />
        <Switch.Label>Anyone with the link can see it</Switch.Label>
      </Switch.Root>
    </Flex>
  )
}
