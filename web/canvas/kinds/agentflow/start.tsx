/** The Start node: how a flow begins, and the trigger that it stands for. */
import { Skeleton } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { drawnAgentflow } from '#contract/flow/kinds/agentflow/drawn.ts'
import { AGENT, START } from '#contract/flow/kinds/agentflow/nodes.ts'
import { isBlank } from '#contract/flow/params/blank.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'
import type { CanvasKind } from '../types.ts'

const TriggerPanel = lazy(() => import('./trigger/TriggerPanel.tsx'))

/** Texts of the start types that need no person. */
const TRIGGERED: ReadonlyMap<unknown, string> = new Map([
  ['scheduleInput', 'The flow runs on its schedule. Open the chat to run it now.'],
  ['webhookTrigger', 'The flow runs when its webhook is called. Open the chat to run it now.'],
])

const triggeredHint = (flow: FlowDocument): string | undefined =>
  TRIGGERED.get(drawnAgentflow.startNode(flow)?.data.inputs?.startInputType)

export const runHint = (flow: FlowDocument): string =>
  triggeredHint(flow) ?? 'Send a message in the chat to run the flow.'

/** Returns the hint of an empty flow. */
export const emptyHint = (flow: FlowDocument): string =>
  flow.nodes.every(isStart)
    ? 'Add a node to get an answer, or describe a flow and let a model design it.'
    : `${triggeredHint(flow) ?? 'This flow is ready to chat.'} Change its agent, add nodes, or describe a flow and let a model design it.`

/** True while nobody has added a node to a new flow, or said what its agent does. */
export const isUntouched = ({ nodes }: FlowDocument): boolean =>
  nodes.length <= drawnAgentflow.firstNodes.length &&
  nodes.every(
    ({ data: { name, inputs = {} } }) =>
      name === START ||
      (name === AGENT &&
        inputs.agentModel === PRACTICE_MODEL &&
        isBlank(inputs.agentMessages) &&
        isBlank(inputs.agentTools)),
  )

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
