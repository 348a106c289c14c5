/** The Start node: how a flow begins, and the trigger that it stands for. */
import { Skeleton } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { START } from '#contract/flow/kinds/agentflow/nodes.ts'
import { startTriggerOf } from '#contract/triggers/start.ts'
import type { CanvasKind } from '../types.ts'

const TriggerPanel = lazy(() => import('./trigger/TriggerPanel.tsx'))

/** Start types that need no person. */
const TRIGGERED: ReadonlySet<unknown> = new Set(['scheduleInput', 'webhookTrigger'])

const RUN_HINTS = {
  chat: 'Send a message in the chat to run the flow.',
  schedule: 'The flow runs on its schedule. Open the chat to run it now.',
  webhook: 'The flow runs when its webhook is called. Open the chat to run it now.',
}

export const runHint = (flow: FlowDocument): string => RUN_HINTS[startTriggerOf(flow)?.kind ?? 'chat']

export const isStart = ({ data }: FlowNode): boolean => data.name === START

export const triggerSettings: CanvasKind['settingsBelow'] = (node, flowId) =>
  isStart(node) && TRIGGERED.has(node.data.inputs?.startInputType)
    ? {
        param: 'startInputType',
        content: (
          <Suspense fallback={<Skeleton h="40" borderRadius="l2" />}>
            <TriggerPanel nodeId={node.id} flowId={flowId} />
          </Suspense>
        ),
      }
    : null
