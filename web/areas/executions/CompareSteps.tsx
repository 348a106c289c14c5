import { Badge, Box, chakra, Flex, Heading, Switch, Text } from '@chakra-ui/react'
import { lazy, Suspense, useState } from 'react'
import type { ComparedStep, Difference, StepFigures } from '#contract/runs/compare.ts'
import { StepIcon } from '../../chat/trace/StepIcon.tsx'
import { StateBadge } from '../../chat/trace/states.tsx'
import { occurrenceText } from '../../chat/trace/tree.ts'
import { formatCost, formatDuration } from '../../ui/format.ts'

const OutputDiff = lazy(() => import('./OutputDiff.tsx'))

interface CompareStepsProps {
  steps: ComparedStep[]
  /** Path of the expanded step. */
  open: string | undefined
  onOpen: (path: string | undefined) => void
}

const kinds: Record<ComparedStep['kind'], { label: string; palette: string }> = {
  same: { label: 'Same', palette: 'gray' },
  different: { label: 'Different', palette: 'warning' },
  onlyA: { label: 'Only in A', palette: 'danger' },
  onlyB: { label: 'Only in B', palette: 'success' },
}

const names: Record<Difference, string> = {
  status: 'status',
  output: 'output',
  tokens: 'tokens',
  cost: 'cost',
  time: 'duration',
}

/** The steps of both runs; one at a time expands to its outputs. */
export function CompareSteps({ steps, open, onOpen }: CompareStepsProps) {
  const [all, setAll] = useState(true)
  const shown = all ? steps : steps.filter(({ kind }) => kind !== 'same')
  return (
    <Box as="section" aria-label="Steps">
      <Flex justify="space-between" align="center" mb="3" gap="3" wrap="wrap">
        <Heading as="h2" size="md">
          Steps
        </Heading>
        <Switch.Root checked={!all} onCheckedChange={({ checked }) => setAll(!checked)}>
          <Switch.HiddenInput />
          <Switch.Control />
          <Switch.Label>Differences only</Switch.Label>
        </Switch.Root>
      </Flex>
      {shown.length === 0 && (
        <Text color="fg.muted">
          {steps.length === 0 ? 'No step has finished yet.' : 'All steps have the same result.'}
        </Text>
      )}
      <Box as="ol" listStyleType="none">
        {shown.map((step) => (
          <Box as="li" key={step.path} mb="2" borderWidth="1px" borderRadius="l2" bg="bg.panel">
            <Step
              step={step}
              isOpen={step.path === open}
              onToggle={() => onOpen(step.path === open ? undefined : step.path)}
            />
          </Box>
        ))}
      </Box>
    </Box>
  )
}

interface StepProps {
  step: ComparedStep
  isOpen: boolean
  onToggle: () => void
}

function Step({ step, isOpen, onToggle }: StepProps) {
  const { label, palette } = kinds[step.kind]
  const which = occurrenceText(step.path)
  return (
    <>
      <chakra.button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        w="full"
        textAlign="start"
        p="3"
        borderRadius="l2"
        _hover={{ bg: 'bg.subtle' }}
      >
        <Flex gap="2" align="center" wrap="wrap">
          <StepIcon path={step.path} />
          <Text fontWeight="medium">{step.nodeLabel}</Text>
          {which && <Text color="fg.muted">{which}</Text>}
          <Badge colorPalette={palette}>{label}</Badge>
          {step.differences.length > 0 && (
            <Text fontSize="sm" color="fg.muted">
              {step.differences.map((difference) => names[difference]).join(', ')}
            </Text>
          )}
        </Flex>
      </chakra.button>
      {isOpen && (
        <Box p="3">
          <Suspense fallback={<Text color="fg.muted">Comparing…</Text>}>
            <OutputDiff a={step.a?.output} b={step.b?.output}>
              {(side) => <Figures figures={side === 'a' ? step.a : step.b} />}
            </OutputDiff>
          </Suspense>
        </Box>
      )}
    </>
  )
}

function Figures({ figures }: { figures: StepFigures | undefined }) {
  if (!figures) return <Text color="fg.muted">Not run.</Text>
  const { status, tokens, cost, duration } = figures
  const texts = [
    duration !== undefined && formatDuration(duration),
    tokens > 0 && `${tokens} tokens`,
    cost !== undefined && formatCost(cost),
  ].filter(Boolean)
  return (
    <Flex gap="2" align="center" wrap="wrap" fontSize="sm" color="fg.muted">
      <StateBadge state={status} /> {texts.join(' · ')}
    </Flex>
  )
}
