import { Button, Center, Field, NativeSelect, Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlowVersionHead } from '#contract/chatflows/chatflows.ts'
import { diffSources } from '#contract/flow/diff/diff-sources.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { CompareView } from '../../canvas/compare/CompareView.tsx'
import { BottomSheet } from '../../canvas/panels/BottomSheet.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { askAndPublish, askAndRestore, type Publishing } from '../publishing.ts'
import { useCanEdit } from '../use-can-edit.ts'
import { versionQuery } from './queries.ts'

interface Props {
  publishing: Publishing
  heads: readonly FlowVersionHead[]
  initial: { version: number; against: number | null }
  onClose: () => void
}

/** A version, optionally compared with another one. */
export default function VersionDialog({ publishing, heads, initial, onClose }: Props) {
  const [version, setVersion] = useState(initial.version)
  const [against, setAgainst] = useState(initial.against)
  const flowId = publishing.draft.state.id as string
  const after = useVersion(flowId, version)
  const before = useVersion(flowId, against)
  const mayChange = useCanEdit(publishing.draft.canvas.kind)
  const head = heads.find((each) => each.version === version)
  const error = after.error ?? before.error
  if (error) {
    return (
      <BottomSheet open side label="Version" onClose={onClose}>
        <ErrorState
          title="Couldn’t load this version"
          text={error.message}
          onRetry={() => void Promise.all([after.error && after.retry(), before.error && before.retry()])}
        />
      </BottomSheet>
    )
  }
  if (!after.flow || (against !== null && !before.flow)) {
    return (
      <Center py="4" role="status" aria-label="Loading version">
        <Spinner />
      </Center>
    )
  }
  const options = heads.map((each) => ({ value: each.version, label: nameOf(each) }))
  return (
    <CompareView
      title={against === null ? `Version ${version}` : 'Compare versions'}
      after={after.flow}
      before={before.flow}
      sources={before.sources && after.sources && diffSources(before.sources, after.sources)}
      definitions={publishing.draft.canvas.definitions}
      kind={publishing.draft.canvas.kind}
      onClose={onClose}
      controls={
        <>
          <Choice
            label="Version"
            value={version}
            options={options}
            onChange={(value) => setVersion(value ?? version)}
          />
          <Choice label="Compare with" value={against} options={options} none="Nothing" onChange={setAgainst} />
        </>
      }
      actions={
        mayChange && (
          <>
            {head && !head.isPublished && (
              <Button size="sm" variant="outline" onClick={() => void askAndPublish(publishing, version)}>
                Publish version
              </Button>
            )}
            {head && !head.isDraft && (
              <Button
                size="sm"
                colorPalette="accent"
                onClick={async () => (await askAndRestore(publishing, version)) && onClose()}
              >
                Restore version
              </Button>
            )}
          </>
        )
      }
    />
  )
}

const nameOf = ({ version, note, isDraft, isPublished }: FlowVersionHead) =>
  [`${version}`, isDraft && 'draft', isPublished && 'published', note?.slice(0, 40)].filter(Boolean).join(' · ')

function useVersion(flowId: string, version: number | null) {
  const { data, error, refetch } = useQuery({ ...versionQuery(flowId, version ?? 0), enabled: version !== null })
  if (!data || version === null) return { flow: null, error, retry: refetch }
  const opened = parseFlow(data.flowData)
  return opened.ok
    ? { flow: opened.flow, sources: data.sources, error, retry: refetch }
    : { flow: null, error: new Error(opened.message), retry: refetch }
}

interface ChoiceProps {
  label: string
  value: number | null
  options: readonly { value: number; label: string }[]
  none?: string
  onChange: (value: number | null) => void
}

function Choice({ label, value, options, none, onChange }: ChoiceProps) {
  return (
    <Field.Root flexDirection="row" alignItems="center" width={{ base: 'full', md: 'auto' }} gap="2">
      <Field.Label whiteSpace="nowrap" minW={{ base: '28', md: '0' }}>
        {label}
      </Field.Label>
      <NativeSelect.Root size="sm" flex="1" width={{ md: '240px' }}>
        <NativeSelect.Field
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
        >
          {none && <option value="">{none}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field.Root>
  )
}
