import { Box, Button, Dialog, Field, Input, NativeSelect, Portal, Stack, Text } from '@chakra-ui/react'
import { type FormEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Connection, checkConnection } from '#contract/flow/document/connect.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { namedText } from '#contract/flow/references/reference-names.ts'
import { nodeHandles } from '../geometry/handles.ts'
import { isNote } from '../geometry/node-size.ts'
import type { CanvasKind } from '../kinds/types.ts'
import { connect } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { nodeNames } from '../surface/node-labels.ts'

/** The inputs where a connection can end, with the node's name; one without a handle for a node that has none. */
function inputsOf(node: FlowNode, kind: CanvasKind): { handle: string | null; label: string }[] {
  const { inputs } = kind.flow.ports(node)
  const { label } = node.data
  if (inputs.length <= 1) return [{ handle: inputs[0]?.id ?? null, label }]
  return inputs.map((input) => ({ handle: input.id, label: `${label}, ${input.label}` }))
}

/** Connects a node by keyboard: choose the output, then the node. Refused targets say why. */
export default function ConnectDialog({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const source = flow.nodes.find((node) => node.id === nodeId)
  const outputs = source ? nodeHandles(source, canvas.kind).filter((handle) => handle.type === 'source') : []
  const [output, setOutput] = useState(outputs[0]?.id ?? '')
  const [query, setQuery] = useState('')
  const [refusal, setRefusal] = useState('')
  if (!source) return null

  const targets = flow.nodes
    .filter((node) => node.id !== nodeId && !isNote(node))
    .flatMap((node) => inputsOf(node, canvas.kind).map((input) => ({ node, ...input })))
    .filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()))
    .map(({ node, handle, label }) => {
      const connection = { source: nodeId, sourceHandle: output, target: node.id, targetHandle: handle }
      return { connection, label, verdict: checkConnection(flow, connection, canvas.kind.flow) }
    })
    .toSorted((a, b) => Number(b.verdict.ok) - Number(a.verdict.ok))
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
    <Dialog.Root open onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Connect {source.data.label} to…</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body pb="6">
              {outputs.length === 0 && <Text color="fg.muted">{source.data.label} has no output.</Text>}
              <form onSubmit={submit}>
                <Stack gap="3">
                  {outputs.length > 1 && (
                    <Field.Root>
                      <Field.Label>Output</Field.Label>
                      <NativeSelect.Root size="sm">
                        <NativeSelect.Field value={output} onChange={(event) => setOutput(event.target.value)}>
                          {outputs.map((handle) => (
                            <option key={handle.id} value={handle.id}>
                              {namedText(handle.label, nodeNames(flow))}
                            </option>
                          ))}
                        </NativeSelect.Field>
                        <NativeSelect.Indicator />
                      </NativeSelect.Root>
                    </Field.Root>
                  )}
                  {outputs.length > 0 && (
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
                  )}
                </Stack>
              </form>
              {refusal && (
                <Text role="alert" mt="2" fontSize="sm" color="fg.error">
                  {refusal}
                </Text>
              )}
              {outputs.length > 0 && targets.length === 0 && (
                <Text role="status" mt="2" fontSize="sm" color="fg.muted">
                  {query.trim() === '' ? 'There is no other node yet.' : `No node matches “${query}”.`}
                </Text>
              )}
              <Box as="ul" listStyleType="none" mt="2" maxHeight="50vh" overflowY="auto">
                {outputs.length > 0 &&
                  targets.map(({ connection, label, verdict }) => (
                    <li key={`${connection.target} ${connection.targetHandle}`}>
                      <Button
                        variant="ghost"
                        size="sm"
                        width="full"
                        height="auto"
                        py="2"
                        justifyContent="start"
                        disabled={!verdict.ok}
                        onClick={() => choose(connection)}
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
            </Dialog.Body>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
