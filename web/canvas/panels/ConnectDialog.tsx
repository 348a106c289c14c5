import { Box, Button, Dialog, Field, Input, NativeSelect, Portal, Stack, Text } from '@chakra-ui/react'
import { type FormEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Connection, checkConnection } from '#contract/flow/document/connect.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { namedText } from '#contract/flow/references/reference-names.ts'
import type { Verdict } from '#contract/flow/rules/verdict.ts'
import { type HandlePlace, nodeHandles } from '../geometry/handles.ts'
import { isNote } from '../geometry/node-size.ts'
import type { CanvasKind } from '../kinds/types.ts'
import { connect } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import type { Canvas } from '../store/store.ts'
import { nodeNames } from '../surface/node-labels.ts'

/** The inputs where a connection can end, with the node's name; one without a handle for a node that has none. */
function inputsOf(node: FlowNode, kind: CanvasKind): { handle: string | null; label: string }[] {
  const { inputs } = kind.flow.ports(node)
  const { label } = node.data
  if (inputs.length <= 1) return [{ handle: inputs[0]?.id ?? null, label }]
  return inputs.map((input) => ({ handle: input.id, label: `${label}, ${input.label}` }))
}

interface Target {
  connection: Connection
  label: string
  verdict: Verdict
}

/** Returns where the output can lead, by the query; what is refused comes last. */
function findTargets({ state, kind }: Canvas, from: { nodeId: string; output: string }, query: string): Target[] {
  const text = query.trim().toLowerCase()
  return state.flow.nodes
    .filter((node) => node.id !== from.nodeId && !isNote(node))
    .flatMap((node) => inputsOf(node, kind).map((input) => ({ node, ...input })))
    .filter(({ label }) => label.toLowerCase().includes(text))
    .map(({ node, handle, label }) => {
      const connection = { source: from.nodeId, sourceHandle: from.output, target: node.id, targetHandle: handle }
      return { connection, label, verdict: checkConnection(state.flow, connection, kind.flow) }
    })
    .toSorted((a, b) => Number(b.verdict.ok) - Number(a.verdict.ok))
}

interface ConnectDialogProps {
  nodeId: string
  onClose: () => void
}

/** Connects a node by keyboard: choose the output, then the node. Refused targets say why. */
export default function ConnectDialog({ nodeId, onClose }: ConnectDialogProps) {
  const { flow } = useSnapshot(useCanvas().state)
  const source = flow.nodes.find((node) => node.id === nodeId)
  if (!source) return null
  return (
    <Dialog.Root open onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Connect {source.data.label} to…</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body pb="6">
              <TargetSearch source={source} onClose={onClose} />
            </Dialog.Body>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function TargetSearch({ source, onClose }: { source: FlowNode; onClose: () => void }) {
  const canvas = useCanvas()
  const outputs = nodeHandles(source, canvas.kind).filter((handle) => handle.type === 'source')
  const [output, setOutput] = useState(outputs[0]?.id ?? '')
  const [query, setQuery] = useState('')
  const [refusal, setRefusal] = useState('')
  if (outputs.length === 0) return <Text color="fg.muted">{source.data.label} has no output.</Text>

  const targets = findTargets(canvas, { nodeId: source.id, output }, query)
  const choose = (connection: Connection) => {
    connect(canvas, connection)
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [first] = targets
    if (!first) return
    const { connection, label, verdict } = first
    if (verdict.ok) choose(connection)
    else setRefusal(`${source.data.label} cannot be connected to ${label}. ${verdict.reason}`)
  }
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="3">
          {outputs.length > 1 && <OutputField outputs={outputs} value={output} onChange={setOutput} />}
          <Input
            size="sm"
            type="search"
            aria-label="Search nodes to connect to"
            placeholder="Search nodes; Enter takes the first"
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setRefusal('')
            }}
            data-autofocus
          />
        </Stack>
      </form>
      {refusal && (
        <Text role="alert" mt="2" fontSize="sm" color="fg.error">
          {refusal}
        </Text>
      )}
      {targets.length === 0 && (
        <Text role="status" mt="2" fontSize="sm" color="fg.muted">
          {query.trim() === '' ? 'There is no other node yet.' : `No node matches “${query}”.`}
        </Text>
      )}
      <TargetList targets={targets} onChoose={choose} />
    </>
  )
}

interface OutputFieldProps {
  outputs: readonly HandlePlace[]
  value: string
  onChange: (id: string) => void
}

function OutputField({ outputs, value, onChange }: OutputFieldProps) {
  const { flow } = useSnapshot(useCanvas().state)
  return (
    <Field.Root>
      <Field.Label>Output</Field.Label>
      <NativeSelect.Root size="sm">
        <NativeSelect.Field value={value} onChange={(event) => onChange(event.target.value)}>
          {outputs.map((handle) => (
            <option key={handle.id} value={handle.id}>
              {namedText(handle.label, nodeNames(flow))}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field.Root>
  )
}

function TargetList({ targets, onChoose }: { targets: readonly Target[]; onChoose: (to: Connection) => void }) {
  return (
    <Box as="ul" listStyleType="none" mt="2" maxHeight="50vh" overflowY="auto">
      {targets.map(({ connection, label, verdict }) => (
        <li key={`${connection.target} ${connection.targetHandle}`}>
          <Button
            variant="ghost"
            size="sm"
            width="full"
            height="auto"
            py="2"
            justifyContent="start"
            disabled={!verdict.ok}
            onClick={() => onChoose(connection)}
          >
            <Box textAlign="start">
              {label}
              {!verdict.ok && (
                <Text fontSize="xs" fontWeight="normal" whiteSpace="normal">
                  {verdict.reason}
                </Text>
              )}
            </Box>
          </Button>
        </li>
      ))}
    </Box>
  )
}
