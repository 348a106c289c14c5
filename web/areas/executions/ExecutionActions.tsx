import { Button, Flex, Switch, Text } from '@chakra-ui/react'
import { IconLink, IconPlayerStop } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ExecutionDetail } from '#contract/executions.ts'
import { uiBase } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { EXECUTIONS, stopExecution, updateExecution } from './queries.ts'
import { StarButton } from './StarButton.tsx'

/** What a member may do with one execution: stop it, keep it as a test case, share it. */
export function ExecutionActions({ execution }: { execution: ExecutionDetail }) {
  const mayChange = useCan()('executions:update')
  return (
    <Flex gap="3" align="center" wrap="wrap">
      <StopButton execution={execution} />
      {mayChange && <StarButton execution={execution} />}
      {mayChange && <Sharing execution={execution} />}
    </Flex>
  )
}

function StopButton({ execution }: { execution: ExecutionDetail }) {
  const stop = useMutation({
    mutationFn: () => stopExecution(execution),
    onError: (error) => notify.error(`The run was not stopped: ${error.message}`),
    onSettled: () => invalidate(EXECUTIONS),
  })
  const isWaiting = execution.state === 'STOPPED'
  if (!isWaiting && execution.state !== 'INPROGRESS') return null
  const ask = async () => {
    const sure =
      !isWaiting ||
      (await confirm({
        title: 'Stop this run?',
        description: 'Nobody can answer it any more. The steps that had finished are kept.',
        confirmButtonName: 'Stop the run',
        cancelButtonName: 'Cancel',
        danger: true,
      }))
    if (sure) stop.mutate()
  }
  return (
    <Button size="sm" variant="outline" loading={stop.isPending} onClick={ask}>
      <IconPlayerStop size={16} aria-hidden /> Stop
    </Button>
  )
}

function Sharing({ execution }: { execution: ExecutionDetail }) {
  const client = useQueryClient()
  const share = useMutation({
    mutationFn: (isPublic: boolean) => updateExecution(execution.id, { isPublic }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.one(EXECUTIONS, execution.id) }),
    onError: (error) => notify.error(`Sharing was not changed: ${error.message}`),
  })
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${uiBase()}/execution/${execution.id}`)
    notify.success('Link copied')
  }
  return (
    <>
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
        <Switch.Label>Anyone with the link can see it{execution.state === 'STOPPED' && ' and answer'}</Switch.Label>
      </Switch.Root>
      <Text fontSize="xs" color="fg.muted" maxW="20rem">
        They see the steps and their answers, and may answer while the run waits. What went into the steps and what they
        cost stay hidden, unless the flow shows full traces.
      </Text>
    </>
  )
}
