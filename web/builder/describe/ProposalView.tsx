import { Box, Button, Field, Heading, Stack, Text, Textarea } from '@chakra-ui/react'
import { useMemo, useState } from 'react'
import { formatCount } from '#contract/data/format.ts'
import { problemText } from '#contract/flow/rules/problem.ts'
import type { GenerateAnswer } from '#contract/generator/generator.ts'
import { CompareView } from '../../canvas/compare/CompareView.tsx'
import type { Canvas } from '../../canvas/store/store.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { usageCost } from '../../ui/format.ts'

interface Props {
  canvas: Canvas
  proposal: GenerateAnswer
  /** The model proposes the same flow for every description. */
  isExample: boolean
  onApply: () => void
  onRetry: (remark: string) => void
  onDiscard: () => void
}

/** The proposal compared with the current flow: apply it, revise it, or discard it. */
export function ProposalView({ canvas, proposal, isExample, onApply, onRetry, onDiscard }: Props) {
  const [remark, setRemark] = useState('')
  const { nodes, edges, problems, usage } = proposal
  const after = useMemo(() => ({ nodes, edges }), [nodes, edges])
  return (
    <CompareView
      title="Proposed flow"
      before={canvas.state.flow}
      after={after}
      definitions={canvas.definitions}
      kind={canvas.kind}
      onClose={onDiscard}
      actions={
        <>
          <Button size="sm" variant="outline" onClick={onDiscard}>
            Discard
          </Button>
          <Button size="sm" colorPalette="accent" onClick={onApply}>
            Apply
          </Button>
        </>
      }
    >
      <Stack gap="4" mb="5">
        {isExample && (
          <Notice kind="warning">
            This is an example. The practice model didn’t read your description. Choose another model for a flow of your
            own.
          </Notice>
        )}
        {problems.length > 0 && (
          <Notice kind="warning">
            <Heading as="h2" size="sm" mb="1">
              To fill in
            </Heading>
            <Box as="ul" ps="4">
              {[...new Set(problems.map(problemText))].map((text) => (
                <li key={text}>{text}</li>
              ))}
            </Box>
          </Notice>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            onRetry(remark.trim())
          }}
        >
          <Field.Root>
            <Field.Label>What should change?</Field.Label>
            <Textarea
              rows={2}
              size="sm"
              value={remark}
              maxLength={5000}
              onChange={(event) => setRemark(event.target.value)}
            />
          </Field.Root>
          <Button type="submit" size="sm" variant="outline" mt="2" disabled={remark.trim() === ''}>
            Try again
          </Button>
        </form>
        <Text fontSize="xs" color="fg.muted">
          The design took {[`${formatCount(usage.total_tokens)} tokens`, usageCost(usage)].filter(Boolean).join(', ')}.
        </Text>
      </Stack>
    </CompareView>
  )
}
