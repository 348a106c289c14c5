import { Box, Button, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { useId } from 'react'
import type { DocumentJob, JobAction } from '#contract/document-stores/jobs.ts'
import type { DocumentLoader } from '#contract/document-stores/loaders.ts'
import { UNINDEXED } from '#contract/document-stores/states.ts'
import { useCan } from '../../../api/use-can.ts'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { ProgressBar } from '../../../ui/feedback/ProgressBar.tsx'
import { applyJobAction } from '../api.ts'
import { attempt } from '../shared/actions.ts'
import { isOpen, isStopped } from '../shared/job-state.ts'
import { JOB_NAMES } from '../shared/state-words.ts'
import { type JobProgress, progressOf } from './job-progress.ts'

interface Props {
  job: DocumentJob
  loaders: readonly Pick<DocumentLoader, 'id' | 'loaderName'>[]
}

/** A job while it works, waits for a person, or has failed. It goes on when the page is left. */
export function JobPanel({ job, loaders }: Props) {
  if (!isOpen(job) && !isStopped(job)) return null
  const of = loaders.find(({ id }) => id === job.docId)?.loaderName
  const name = of ? `${JOB_NAMES[job.kind]} ${of}` : JOB_NAMES[job.kind]
  return isStopped(job) ? <Stopped job={job} name={name} /> : <Open job={job} name={name} />
}

function Stopped({ job, name }: { job: DocumentJob; name: string }) {
  const isIndex = job.kind === 'index'
  return (
    <Notice kind="danger">
      <Text fontWeight="medium">
        {name} {job.state === 'failed' ? 'failed' : 'was canceled'}
      </Text>
      <Text overflowWrap="anywhere">{job.stateReason ?? (isIndex ? UNINDEXED : 'Try again.')}</Text>
      <Actions job={job} actions={[['retry', isIndex ? 'Index again' : 'Try again']]} />
    </Notice>
  )
}

function Open({ job, name }: { job: DocumentJob; name: string }) {
  const titleId = useId()
  const progress = progressOf(job, Date.now())
  const isStill = job.state === 'paused' || job.state === 'asking'
  return (
    <Box
      as="section"
      aria-labelledby={titleId}
      borderWidth="1px"
      borderColor={isStill ? 'warning.muted' : 'border'}
      borderRadius="l3"
      bg="bg.panel"
      p="4"
    >
      <Stack gap="3">
        <Flex gap="3" align="baseline" justify="space-between" wrap="wrap">
          <Heading as="h2" size="sm" id={titleId} overflowWrap="anywhere">
            {name}
          </Heading>
          <Text textStyle="sm" color="fg.muted" role="status">
            {isStill ? (job.state === 'paused' ? 'Paused' : 'Waiting for you') : progress.title}
          </Text>
        </Flex>
        <ProgressBar label={name} percent={progress.percent} text={progress.title} />
        {(progress.figures.length > 0 || !isStill) && <Figures figures={progress.figures} />}
        {job.state === 'paused' && (
          <Notice kind="warning">
            <Text fontWeight="medium">This job can’t continue yet.</Text>
            <Text overflowWrap="anywhere">{job.stateReason}</Text>
            <Text>Nothing is lost. Fix the cause or wait a while, then resume.</Text>
          </Notice>
        )}
        {job.state === 'asking' && (
          <Notice kind="warning">
            <Text overflowWrap="anywhere">{job.stateReason}</Text>
          </Notice>
        )}
        <Actions job={job} actions={ACTIONS[job.state] ?? []} />
      </Stack>
    </Box>
  )
}

const CANCEL: [JobAction, string] = ['cancel', 'Cancel']
const ACTIONS: Partial<Record<DocumentJob['state'], [JobAction, string][]>> = {
  queued: [CANCEL],
  running: [CANCEL],
  paused: [['resume', 'Resume'], CANCEL],
  asking: [
    ['cancel', 'Keep them'],
    ['agree', 'Delete them'],
  ],
}

function Actions({ job, actions }: { job: DocumentJob; actions: [JobAction, string][] }) {
  if (!useCan()('documentStores:update')) return null
  return (
    <Flex gap="2" wrap="wrap" mt={isStopped(job) ? '3' : undefined}>
      {actions.map(([action, label]) => (
        <Button
          key={action}
          size="sm"
          variant={action === 'resume' ? 'solid' : 'outline'}
          {...(action === 'resume' && { colorPalette: 'accent' })}
          {...(action === 'agree' && { colorPalette: 'danger' })}
          onClick={() => void attempt(`${label.toLowerCase()}`, () => applyJobAction(job.id, action))}
        >
          {label}
        </Button>
      ))}
    </Flex>
  )
}

function Figures({ figures }: Pick<JobProgress, 'figures'>) {
  return (
    <Flex as="dl" gap="6" wrap="wrap" rowGap="2" minH="10">
      {figures.map(({ label, value }) => (
        <Box key={label}>
          <Text as="dt" textStyle="xs" color="fg.muted">
            {label}
          </Text>
          <Text as="dd" textStyle="sm" fontWeight="medium">
            {value}
          </Text>
        </Box>
      ))}
    </Flex>
  )
}
