import { Button, Center, Spinner, Stack, Text } from '@chakra-ui/react'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { isCanvasType } from '#contract/flow/kinds/facts.ts'
import { kindOf, whyNotRun } from '#contract/flow/kinds/index.ts'
import { ApiError } from '../../api/client.ts'
import { componentsQuery } from '../../api/components.ts'
import { flowLink } from '../../api/flow-link.ts'
import { flowNoun, useFlowTypes } from '../../api/use-flow-types.ts'
import { CompareView } from '../../canvas/compare/CompareView.tsx'
import { chatflowKind } from '../../canvas/kinds/chatflow/index.tsx'
import { BottomSheet } from '../../canvas/panels/BottomSheet.tsx'
import { downloadFlow } from '../../flows/actions.ts'
import { flowQuery } from '../../flows/queries.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'

/** A read-only canvas of an imported flow that can't run, with the reason and next steps. */
export default function UnsupportedFlowView({ id, onClose }: { id: string; onClose: () => void }) {
  const stored = useQuery(flowQuery(id))
  const components = useQuery(componentsQuery)
  const creatable = useFlowTypes('create')
  const opened = useMemo(() => {
    return stored.data && parseFlow(stored.data.flowData)
  }, [stored.data])
  const definitions = useMemo(
    () => components.data && new Map(components.data.map((each) => [each.name, each])),
    [components.data],
  )
  const error = stored.error ?? components.error
  if (error || opened?.ok === false) {
    const retry = () => void Promise.all([stored.error && stored.refetch(), components.error && components.refetch()])
    return (
      <BottomSheet open side label="Unsupported flow" onClose={onClose}>
        {error ? (
          <ErrorState
            title="Couldn’t load this flow"
            text={errorText(error)}
            {...(!isNotFound(error) && { onRetry: retry })}
          />
        ) : (
          <ErrorState title="Couldn’t show this flow" text={opened?.ok === false ? opened.message : ''} />
        )}
      </BottomSheet>
    )
  }
  if (!stored.data || !opened || !definitions) {
    return (
      <Center py="4" role="status" aria-label="Loading flow">
        <Spinner />
      </Center>
    )
  }
  if (isCanvasType(stored.data.type)) return <Navigate {...flowLink(stored.data.type, id)} replace />
  return (
    <CompareView
      title={stored.data.name}
      after={opened.flow}
      before={null}
      definitions={definitions}
      kind={chatflowKind}
      onClose={onClose}
      actions={
        <>
          <Button size="sm" variant="outline" onClick={() => void downloadFlow(stored.data)}>
            <IconDownload size={16} aria-hidden />
            Export
          </Button>
          {creatable.map((type) => (
            <Button key={type} asChild size="sm" variant="outline">
              <Link {...flowLink(type)}>
                <IconPlus size={16} aria-hidden />
                New {flowNoun(type)}
              </Link>
            </Button>
          ))}
        </>
      }
    >
      <UnsupportedNotice type={stored.data.type} flow={opened.flow} />
    </CompareView>
  )
}

function UnsupportedNotice({ type, flow }: { type: FlowType; flow: FlowDocument }) {
  return (
    <Notice kind="warning">
      <Stack gap="2">
        <Text fontWeight="medium">{kindOf(type).label}: can’t run</Text>
        <Text>{whyNotRun(type, flow)}</Text>
        <Text>It is stored exactly as it was imported, and you can export it.</Text>
      </Stack>
    </Notice>
  )
}

const isNotFound = (error: Error) => error instanceof ApiError && error.status === 404

const errorText = (error: Error) =>
  isNotFound(error) ? 'It was deleted, or it belongs to another workspace.' : error.message
