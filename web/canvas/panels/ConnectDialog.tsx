import { Box, Button, Dialog, Field, Input, NativeSelect, Portal, Stack, Text } from '@chakra-ui/react'
import { type FormEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { checkConnection } from '#contract/flow/document/connect.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { connect } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { nodeHandles } from '../surface/geometry.ts'

/** Connects a node by the keyboard: choose the output, then the node it leads to. Refused ones say why. */
export function ConnectDialog({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const source = flow.nodes.find((node) => node.id === nodeId)
  const outputs = source ? nodeHandles(source).filter((handle) => handle.type === 'source') : []
  const [output, setOutput] = useState(outputs[0]?.id ?? '')
  const [query, setQuery] = useState('')
  const [refusal, setRefusal] = useState('')
  if (!source) return null

  const targets = flow.nodes
    .filter((node) => node.id !== nodeId && !isStickyNote(node.data))
    .filter((node) => node.data.label.toLowerCase().includes(query.trim().toLowerCase()))
    .map((node) => ({
      node,
      verdict: checkConnection(flow, { source: nodeId, sourceHandle: output, target: node.id }),
    }))
    .toSorted((a, b) => Number(b.verdict.ok) - Number(a.verdict.ok))
  const choose = (target: string) => {
    connect(canvas, { source: nodeId, sourceHandle: output, target })
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [first] = targets
    if (!first) return
    const { node, verdict } = first
    if (verdict.ok) choose(node.id)
    else setRefusal(`${source.data.label} cannot be connected to ${node.data.label}. ${verdict.reason}`)
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
                              {handle.label}
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
                  targets.map(({ node, verdict }) => (
                    <li key={node.id}>
                      <Button
                        variant="ghost"
                        size="sm"
                        width="full"
                        height="auto"
                        py="2"
                        justifyContent="start"
                        disabled={!verdict.ok}
                        onClick={() => choose(node.id)}
                      >
                        <Box textAlign="start">
                          {node.data.label}
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
