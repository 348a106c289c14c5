import { Button, Flex, Heading, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import { IconBolt, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Trigger } from '#contract/triggers/index.ts'
import { flowPage } from '../../api/flow-link.ts'
import { pauseTrigger, resumeTrigger } from '../../inputs/trigger/actions.ts'
import { KIND_LABELS, TriggerBadge } from '../../inputs/trigger/badges.tsx'
import { triggerHint } from '../../inputs/trigger/trigger-hints.ts'
import { useRunNow } from '../../inputs/trigger/use-run-now.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { useCanChange } from './access.ts'
import { TriggerMenu } from './TriggerMenu.tsx'

interface TriggerHeaderProps {
  trigger: Trigger
  onEdit: (trigger: Trigger) => void
  /** Receives the id of the delivery that Run now started. */
  onRun: (deliveryId: string) => void
}

/** Name, status and actions of a trigger, with a hint when it is not active. */
export function TriggerHeader({ trigger, onEdit, onRun }: TriggerHeaderProps) {
  const { name, kind, state, stateReason, flow } = trigger
  const canChange = useCanChange()(trigger)
  const hint = triggerHint(trigger)
  const { runNow, dialog } = useRunNow(onRun)
  return (
    <Stack gap="4">
      <Flex align="start" justify="space-between" gap="4" wrap="wrap">
        <Stack gap="1">
          <Flex align="center" gap="3" wrap="wrap">
            <Heading as="h1" size="2xl" letterSpacing="tight" overflowWrap="anywhere">
              {name}
            </Heading>
            <TriggerBadge state={state} />
          </Flex>
          <Text color="fg.muted">
            {KIND_LABELS[kind]} for <FlowLink flow={flow} />
          </Text>
        </Stack>
        <Flex gap="2" align="center">
          {canChange && (
            <>
              {state === 'active' && (
                <Button size="sm" variant="outline" onClick={() => void pauseTrigger(trigger)}>
                  <IconPlayerPause aria-hidden />
                  Pause
                </Button>
              )}
              {(state === 'paused' || state === 'failing') && (
                <Button size="sm" colorPalette="accent" onClick={() => void resumeTrigger(trigger)}>
                  <IconPlayerPlay aria-hidden />
                  Resume
                </Button>
              )}
              <Button size="sm" variant="outline" onClick={() => void runNow(trigger)}>
                <IconBolt aria-hidden />
                Run now
              </Button>
            </>
          )}
          <TriggerMenu trigger={trigger} isOpen onEdit={onEdit} />
        </Flex>
      </Flex>
      {hint && (
        <Notice kind={state === 'failing' ? 'danger' : 'warning'} overflowWrap="anywhere">
          {stateReason && <Text fontWeight="medium">{stateReason}</Text>}
          <Text>{hint}</Text>
        </Notice>
      )}
      {dialog}
    </Stack>
  )
}

function FlowLink({ flow }: { flow: Trigger['flow'] }) {
  const page = flowPage(flow.type, flow.id)
  if (!page) return flow.name
  return (
    <TextLink asChild color="fg" textDecoration="underline">
      <Link {...page}>{flow.name}</Link>
    </TextLink>
  )
}
