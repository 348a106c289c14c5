import { Button, Flex, Text } from '@chakra-ui/react'
import { IconBolt, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { StartTrigger } from '#contract/triggers/start.ts'
import { useCan } from '../api/use-can.ts'
import { nodeTriggerQuery } from '../inputs/trigger/queries.ts'
import { useRunNow } from '../inputs/trigger/use-run-now.tsx'
import { endTypeAhead } from '../state/type-ahead.ts'

interface Props {
  /** Null until the flow is stored. */
  flowId: string | null
  start: Pick<StartTrigger, 'nodeId' | 'kind'>
  /** Saves the draft before the run. Resolves with false to cancel it. */
  beforeRun: () => Promise<boolean>
}

const DESCRIPTIONS = {
  schedule: 'This flow runs on a schedule and doesn’t take chat messages.',
  webhook: 'This flow runs when its webhook is called and doesn’t take chat messages.',
}

/** Shown in place of the message field when a trigger starts the flow, with links to run and open the trigger. */
export function TriggerStart({ flowId, start: { nodeId, kind }, beforeRun }: Props) {
  const { data: stored } = useQuery({ ...nodeTriggerQuery(flowId ?? '', nodeId), enabled: flowId !== null })
  const trigger = flowId === null ? null : stored
  const canRun = useCan()('agentflows:update')
  const [busy, setBusy] = useState(false)
  const { runNow, dialog } = useRunNow()
  // There is no field for what was typed.
  useEffect(endTypeAhead, [])
  const run = async () => {
    if (!trigger) return
    setBusy(true)
    if (await beforeRun()) await runNow(trigger)
    setBusy(false)
  }
  return (
    <Flex direction="column" gap="3" p="3" borderWidth="1px" borderRadius="xl" bg="bg.subtle">
      <Text textStyle="sm">{DESCRIPTIONS[kind]}</Text>
      {trigger ? (
        <Flex gap="2" wrap="wrap">
          {canRun && (
            <Button size="sm" colorPalette="accent" loading={busy} onClick={() => void run()}>
              <IconPlayerPlay size={16} aria-hidden />
              Run now
            </Button>
          )}
          <Button asChild size="sm" variant="outline">
            <Link to="/triggers/$id" params={{ id: trigger.id }}>
              <IconBolt size={16} aria-hidden />
              Open trigger
            </Link>
          </Button>
        </Flex>
      ) : (
        trigger === null && (
          <Text textStyle="sm" color="fg.muted">
            Save the flow to create its trigger.
          </Text>
        )
      )}
      {dialog}
    </Flex>
  )
}
