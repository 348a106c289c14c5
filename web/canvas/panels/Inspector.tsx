import {
  Box,
  Button,
  Flex,
  Heading,
  IconButton,
  Input,
  Skeleton,
  Stack,
  Tabs,
  Text,
  VisuallyHidden,
} from '@chakra-ui/react'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { needsUpgrade } from '#contract/flow/document/upgrade.ts'
import { hintsOf, paramsOf } from '#contract/flow/params/params.ts'
import { whyUnsupported } from '#contract/flow/rules/unsupported-nodes.ts'
import { ParamForm } from '../../inputs/ParamForm.tsx'
import { type ArrayMove, InputEnvironmentProvider, type Patch } from '../../inputs/types.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { isNote } from '../geometry/node-size.ts'
import { duplicateSelection, removeSelection, rename, setCredential, setInputs, upgrade } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { endGesture } from '../store/store.ts'
import { ContainerField } from './ContainerField.tsx'
import { withHelpTexts } from './help-texts.ts'
import { RunSettings } from './RunSettings.tsx'
import { useNodeEnvironment } from './use-node-environment.ts'

const LastRun = lazy(() => import('./LastRun.tsx'))

interface InspectorProps {
  nodeId: string
  /** Undefined for a flow that was never saved. */
  flowId: string | undefined
}

/** The selected node: name, inputs and last run. */
export function Inspector({ nodeId, flowId }: InspectorProps) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state, { sync: true })
  const node = flow.nodes.find((each) => each.id === nodeId)
  const world = useNodeEnvironment(canvas, node, flowId)
  useEffect(() => () => endGesture(canvas), [canvas])
  if (!node) return null
  return (
    <InputEnvironmentProvider value={world}>
      <Flex as="section" aria-label={`Settings of ${node.data.label}`} direction="column" height="full" minHeight="0">
        <VisuallyHidden>
          <Heading as="h2">Settings of {node.data.label}</Heading>
        </VisuallyHidden>
        <InspectorHeader node={node} />
        <Tabs.Root
          defaultValue="settings"
          size="sm"
          lazyMount
          display="flex"
          flexDirection="column"
          flex="1"
          minHeight="0"
        >
          <Tabs.List px="3">
            <Tabs.Trigger value="settings">Settings</Tabs.Trigger>
            <Tabs.Trigger value="run">Last run</Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="settings" overflowY="auto" flex="1" p="4">
            <Settings node={node} flowId={flowId} />
          </Tabs.Content>
          <Tabs.Content value="run" overflowY="auto" flex="1" p="4">
            <Suspense fallback={<Skeleton h="40" borderRadius="l2" />}>
              <LastRun nodeId={nodeId} />
            </Suspense>
          </Tabs.Content>
        </Tabs.Root>
      </Flex>
    </InputEnvironmentProvider>
  )
}

function InspectorHeader({ node }: { node: FlowNode }) {
  const canvas = useCanvas()
  const { NodeIcon } = canvas.kind
  return (
    <Flex align="center" gap="2" p="3">
      <span className="heddle-node-icon" style={{ background: node.data.color }}>
        <NodeIcon name={node.data.name} />
      </span>
      <Input
        size="sm"
        flex="1"
        minWidth="0"
        fontWeight="semibold"
        aria-label="Node name"
        value={node.data.label}
        onChange={(event) => rename(canvas, node.id, event.target.value)}
        onBlur={() => endGesture(canvas)}
      />
      <IconButton
        size="xs"
        variant="ghost"
        aria-label="Duplicate"
        title="Duplicate"
        onClick={() => duplicateSelection(canvas)}
      >
        <IconCopy size={16} />
      </IconButton>
      <IconButton size="xs" variant="ghost" aria-label="Delete" title="Delete" onClick={() => removeSelection(canvas)}>
        <IconTrash size={16} />
      </IconButton>
    </Flex>
  )
}

function Settings({ node, flowId }: { node: FlowNode; flowId: string | undefined }) {
  const canvas = useCanvas()
  const definition = canvas.definitions.get(node.data.name)
  const { problems } = useSnapshot(canvas.state)
  const mine = problems.all.filter((problem) => problem.nodeId === node.id)
  const hasRunSettings = definition !== undefined && canvas.kind.isStep(node)
  const below = canvas.kind.settingsBelow(node, flowId)
  const hints = definition ? hintsOf(definition, node.data.inputs ?? {}) : []
  const description = definition?.description ?? node.data.description
  const params = useMemo(() => withHelpTexts(paramsOf(node), definition?.inputs), [node, definition])
  const values = { ...node.data.inputs, credential: node.data.credential ?? '' }
  const patch = (change: Patch, move?: ArrayMove) => {
    if ('credential' in change) setCredential(canvas, node.id, String(change.credential))
    else setInputs(canvas, node.id, { patch: change, ...(move ? { move } : {}) })
  }
  return (
    <Stack gap="4">
      {description && (
        <Text fontSize="sm" color="fg.muted">
          {description}
        </Text>
      )}
      {hints.map((hint) => (
        <Text key={hint} fontSize="xs" color="fg.muted">
          {hint}
        </Text>
      ))}
      {!definition && (
        <Notice kind="warning">
          The node type <b>{node.data.name}</b> is not available here{whyUnsupported(node.data.name)}. It is kept
          unchanged but cannot run.
        </Notice>
      )}
      {definition && needsUpgrade(node, definition) && (
        <Notice kind="info">
          A newer version of this node is available ({node.data.version ?? 0} → {definition.version}).
          <Box mt="2">
            <Button size="xs" variant="outline" onClick={() => upgrade(canvas, node.id, definition)}>
              Update this node
            </Button>
          </Box>
        </Notice>
      )}
      {mine.length > 0 && !isNote(node) && (
        <Notice kind={problems.failing.has(node.id) ? 'danger' : 'warning'}>
          {mine.map(({ issue }) => (
            <div key={issue}>{issue}</div>
          ))}
        </Notice>
      )}
      {canvas.kind.settingsAbove(node)}
      <ParamForm
        prefix={`node-${node.id}`}
        params={params}
        values={values}
        onPatch={patch}
        onDone={() => endGesture(canvas)}
        {...(below && { below })}
      />
      <ContainerField node={node} />
      {hasRunSettings && <RunSettings node={node} />}
    </Stack>
  )
}
