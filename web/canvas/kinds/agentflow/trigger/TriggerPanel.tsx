import { Box, Button, Flex, Link, Stack, Text } from '@chakra-ui/react'
import { IconBolt, IconExternalLink, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import type { Timing } from '#contract/triggers/schedule.ts'
import { readStartTrigger } from '#contract/triggers/start.ts'
import { useCan } from '../../../../api/use-can.ts'
import { pauseTrigger, resumeTrigger } from '../../../../inputs/trigger/actions.ts'
import { TriggerBadge } from '../../../../inputs/trigger/badges.tsx'
import NextRuns from '../../../../inputs/trigger/NextRuns.tsx'
import { nodeTriggerQuery } from '../../../../inputs/trigger/queries.ts'
import { triggerHint } from '../../../../inputs/trigger/trigger-hints.ts'
import { useRunNow } from '../../../../inputs/trigger/use-run-now.tsx'
import { WebhookAddress } from '../../../../inputs/trigger/WebhookAddress.tsx'
import { Notice } from '../../../../ui/feedback/Notice.tsx'
import { useCanvas } from '../../../store/context.ts'
import { useSettled } from '../../../store/hooks.ts'
import { TestListener } from './TestListener.tsx'

/** Debounce of the next runs, in milliseconds. */
const TYPING = 150

interface TriggerPanelProps {
  nodeId: string
  /** Undefined while the flow was never saved. */
  flowId: string | undefined
}

/** The trigger of a Start node: next runs or address, and status. */
export default function TriggerPanel({ nodeId, flowId }: TriggerPanelProps) {
  const canvas = useCanvas()
  const { flow, problems } = useSnapshot(canvas.state)
  const settled = useSettled(flow, TYPING)
  const start = readStartTrigger(settled)
  const { data: trigger } = useQuery({ ...nodeTriggerQuery(flowId ?? '', nodeId), enabled: flowId !== undefined })
  if (!start || start.nodeId !== nodeId) return null
  const stored = trigger?.kind === start.kind ? trigger : undefined
  const timing = timingOf(settled)
  const isSaidAbove = 'problem' in start && problems.all.some(({ issue }) => issue === start.problem)
  return (
    <Stack as="section" aria-label="Trigger" gap="4" borderWidth="1px" borderRadius="l2" bg="bg.subtle" p="3">
      {stored ? <TriggerStatus trigger={stored} /> : <UnsavedNotice kind={start.kind} />}
      {stored && 'settings' in start && JSON.stringify(start.settings) !== JSON.stringify(stored.settings) && (
        <Text textStyle="xs" color="fg.warning">
          Changes apply after you save the flow.
        </Text>
      )}
      {timing && <NextRuns timing={timing} />}
      {'problem' in start && !isSaidAbove && (
        <Text textStyle="sm" color="fg.error">
          {start.problem}
        </Text>
      )}
      {'settings' in start && start.settings.kind === 'webhook' && stored && (
        <WebhookPart trigger={stored} settings={start.settings} nodeId={nodeId} />
      )}
    </Stack>
  )
}

/** Returns the schedule's timing, also while its message is missing. */
function timingOf({ nodes }: Pick<FlowDocument, 'nodes'>): Timing | undefined {
  const asks = nodes.map((node) => ({
    ...node,
    data: { ...node.data, inputs: { ...node.data.inputs, scheduleInputMode: 'none' } },
  }))
  const start = readStartTrigger({ nodes: asks })
  return start && 'settings' in start && start.settings.kind === 'schedule' ? start.settings : undefined
}

function UnsavedNotice({ kind }: { kind: Trigger['kind'] }) {
  return (
    <Text textStyle="sm" color="fg.muted">
      {kind === 'schedule' ? 'Save the flow to start this schedule.' : 'Save the flow to get its address.'}
    </Text>
  )
}

function TriggerStatus({ trigger }: { trigger: Trigger }) {
  const mayChange = useCan()('agentflows:update')
  const { id, state, stateReason } = trigger
  const advice = triggerHint(trigger)
  const { runNow, dialog } = useRunNow()
  return (
    <Stack gap="2">
      <Flex align="center" gap="2" wrap="wrap">
        <TriggerBadge state={state} />
        <Link href={`/triggers/${id}`} target="_blank" textStyle="sm" minH="6">
          Deliveries <IconExternalLink size={14} role="img" aria-label="in a new tab" />
        </Link>
        {mayChange && (
          <Flex gap="1" ms="auto">
            {state === 'active' && (
              <Button size="2xs" variant="outline" onClick={() => void pauseTrigger(trigger)}>
                <IconPlayerPause aria-hidden /> Pause
              </Button>
            )}
            {(state === 'paused' || state === 'failing') && (
              <Button size="2xs" variant="outline" onClick={() => void resumeTrigger(trigger)}>
                <IconPlayerPlay aria-hidden /> Resume
              </Button>
            )}
            <Button size="2xs" variant="outline" onClick={() => void runNow(trigger)}>
              <IconBolt aria-hidden /> Run now
            </Button>
          </Flex>
        )}
      </Flex>
      {advice && (
        <Notice kind={state === 'failing' ? 'danger' : 'warning'} px="3" py="2" overflowWrap="anywhere">
          {[stateReason, advice].filter(Boolean).join('. ').replaceAll('..', '.')}
        </Notice>
      )}
      {dialog}
    </Stack>
  )
}

interface WebhookPartProps extends Pick<Parameters<typeof WebhookAddress>[0], 'trigger' | 'settings'> {
  nodeId: string
}

function WebhookPart({ trigger, settings, nodeId }: WebhookPartProps) {
  const mayChange = useCan()('agentflows:update')
  return (
    <>
      <WebhookAddress trigger={trigger} settings={settings} canChange={mayChange} />
      <Box borderTopWidth="1px" pt="3">
        <TestListener nodeId={nodeId} triggerId={trigger.id} />
      </Box>
    </>
  )
}
