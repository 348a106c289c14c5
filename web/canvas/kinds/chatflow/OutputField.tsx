/** The choice of one output, for nodes that have several. */
import { Field, NativeSelect } from '@chakra-ui/react'
import { chosenOutput, outputChoices } from '#contract/flow/document/anchors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { chooseOutput } from '#contract/flow/kinds/chatflow/outputs.ts'
import { useCanvas } from '../../store/context.ts'
import { type Canvas, perform } from '../../store/store.ts'

/** Chooses the output on the node itself. */
export function OutputSelect({ node, className }: { node: FlowNode; className: string }) {
  const canvas = useCanvas()
  return (
    <select
      className={className}
      aria-label={`Output of ${node.data.label}`}
      value={chosenOutput(node.data)}
      disabled={canvas.marks !== null}
      onChange={(event) => choose(canvas, node, event.target.value)}
    >
      <Choices node={node} />
    </select>
  )
}

/** Chooses the output in the settings. */
export function OutputField({ node }: { node: FlowNode }) {
  const canvas = useCanvas()
  if (outputChoices(node.data).length === 0) return null
  return (
    <Field.Root>
      <Field.Label>Output</Field.Label>
      <NativeSelect.Root size="sm">
        <NativeSelect.Field
          value={chosenOutput(node.data)}
          onChange={(event) => choose(canvas, node, event.target.value)}
        >
          <Choices node={node} />
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      <Field.HelperText>Changing the output removes its connections.</Field.HelperText>
    </Field.Root>
  )
}

const Choices = ({ node }: { node: FlowNode }) =>
  outputChoices(node.data).map(({ name, label }) => (
    <option key={name} value={name}>
      {label || name}
    </option>
  ))

const choose = (canvas: Canvas, node: FlowNode, output: string) =>
  perform(canvas, `choose the output of ${node.data.label}`, (flow) => chooseOutput(flow, node.id, output))
