import { Button, Flex, Stack, Switch, Text } from '@chakra-ui/react'
import { IconLink, IconPlayerStop } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { uiBase } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { waitingSteps } from '../../chat/trace/tree.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { EXECUTIONS, parseTrace, stopExecution, updateExecution } from './queries.ts'
import { sharingLabel } from './run-summary.ts'
import { StarButton } from './StarButton.tsx'

/** Actions of a member on an execution: stop, star and share. */
export function ExecutionActions({ execution }: { execution: ExecutionDetail }) {
  const canEdit = useCan()('executions:update')
  return (
    <Stack gap="1" align={{ md: 'end' }}>
      <Flex gap="3" align="center" wrap="wrap">
        <StopButton execution={execution} />
        {canEdit && <StarButton execution={execution} />}
        {canEdit && <Sharing execution={execution} />}
      </Flex>
      {canEdit && (
        <Text fontSize="xs" color="fg.muted" maxW="32rem" textAlign={{ md: 'end' }}>
          Viewers see the steps and their answers, and can answer what the caller may answer. Inputs and costs stay
          hidden unless the flow shares full traces.
        </Text>
      )}
    </Stack>
  )
}

function StopButton({ execution }: { execution: ExecutionDetail }) {
  const stop = useMutation({
    mutationFn: () => stopExecution(execution),
    onError: (error) => notify.error(`Couldn’t stop the run: ${error.message}`),
    onSettled: () => invalidate(EXECUTIONS),
  })
  const isWaiting = execution.state === 'STOPPED'
  if (!isWaiting && execution.state !== 'INPROGRESS') return null
  const ask = async () => {
    const sure =
      !isWaiting ||
      (await confirm({
        title: 'Stop this run?',
        description: 'It can’t be resumed. Finished steps are kept.',
        confirmButtonName: 'Stop run',
        cancelButtonName: 'Keep running',
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
    onError: (error) => notify.error(`Couldn’t change sharing: ${error.message}`),
  })
  const waiting = execution.state === 'STOPPED' ? waitingSteps(parseTrace(execution)) : []
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
        <Switch.Label>{sharingLabel(waiting)}</Switch.Label>
      </Switch.Root>
    </>
  )
}
