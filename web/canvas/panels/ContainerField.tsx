import { Field, NativeSelect } from '@chakra-ui/react'
import { useSnapshot } from 'valtio'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { notify } from '../../state/notify.ts'
import { checkMove } from '../geometry/containers.ts'
import { isContainer } from '../geometry/node-size.ts'
import { moveToContainer } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { sentence } from '../store/store.ts'
import { CONTAINER_FIELD } from './fields.ts'

/** Moves a node into or out of a container. */
export function ContainerField({ node }: { node: FlowNode }) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const containers = flow.nodes.filter((each) => isContainer(each) && each.id !== node.id)
  const { containerNoun } = canvas.kind
  if (containerNoun === null || containers.length === 0 || isContainer(node)) return null
  const move = (parent: string) => {
    const verdict = moveToContainer(canvas, node.id, parent || undefined)
    if (!verdict.ok) notify.info(verdict.reason)
  }
  const target = node.parentNode ? undefined : containers[0]?.id
  const verdict = checkMove(flow, [node.id], { parent: target, kind: canvas.kind.flow })
  return (
    <Field.Root>
      <Field.Label htmlFor={CONTAINER_FIELD}>{sentence(containerNoun)}</Field.Label>
      <NativeSelect.Root size="sm">
        <NativeSelect.Field
          id={CONTAINER_FIELD}
          value={node.parentNode ?? ''}
          onChange={(event) => move(event.target.value)}
        >
          <option value="">None</option>
          {containers.map(({ id, data }) => (
            <option key={id} value={id}>
              {data.label || id}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      {!verdict.ok && <Field.HelperText>{verdict.reason}</Field.HelperText>}
    </Field.Root>
  )
}
