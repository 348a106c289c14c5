import { Badge, Box, Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconArrowLeft, IconCopyPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { flowPermissions } from '#contract/access/callers.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { credentialNeeds } from '#contract/flow/transfer/credential-needs.ts'
import { flowTypeOf, type TemplateDetail } from '#contract/marketplaces/marketplaces.ts'
import { ApiError } from '../../api/client.ts'
import { componentsQuery } from '../../api/components.ts'
import { templateQuery } from '../../api/templates.ts'
import { useCan } from '../../api/use-can.ts'
import { CANVAS_KINDS } from '../../canvas/kinds/index.ts'
import type { CanvasKind, Definitions } from '../../canvas/kinds/types.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { templateTypeName } from '../../ui/TemplateCard.tsx'
import { ToolPreview, UseToolButton } from './ToolTemplate.tsx'
import { useTemplate } from './use-template.ts'

const FlowPreview = lazy(() => import('../../canvas/preview/FlowPreview.tsx'))
const UseTemplateDialog = lazy(() => import('./UseTemplateDialog.tsx'))

/** On a phone a flow is as wide as the page and low: a high frame would be empty. */
const PREVIEW_SIZE = { h: { base: '72', md: 'calc(100dvh - 20rem)' }, minH: { md: '96' } }

/** The preview of a template, of any type. */
export default function TemplatePage({ id }: { id: string }) {
  const template = useQuery(templateQuery(id))
  const components = useQuery(componentsQuery)
  const definitions = useMemo(
    () => components.data && new Map(components.data.map((each) => [each.name, each])),
    [components.data],
  )
  const error = template.error ?? components.error
  if (error)
    return <Failed error={error} onRetry={() => void Promise.all([template.refetch(), components.refetch()])} />
  if (!template.data || !definitions) return <Loading />
  return <Preview template={template.data} definitions={definitions} />
}

function Preview({ template, definitions }: { template: TemplateDetail; definitions: Definitions }) {
  const { templateName, description, flowData, type, question } = template
  const read = useMemo(() => (flowData === null ? undefined : parseFlow(flowData)), [flowData])
  const flowType = flowTypeOf(type)
  const kind = flowType && CANVAS_KINDS[flowType]
  return (
    <Stack gap="4">
      <BackLink />
      <PageTitle
        title={templateName}
        purpose={description ?? ''}
        actions={
          type === 'Tool' ? (
            <UseToolButton template={template} />
          ) : (
            read?.ok && kind && <UseButton name={templateName} kind={kind} flow={read.flow} definitions={definitions} />
          )
        }
      />
      <Labels template={template} />
      {question && (
        <Text textStyle="sm">
          <Text as="span" color="fg.muted">
            Ask it first:
          </Text>{' '}
          “{question}”
        </Text>
      )}
      {type === 'Tool' && <ToolPreview template={template} />}
      {read && !read.ok && <ErrorState title="Couldn’t show this template" text={read.message} />}
      {read?.ok && kind && (
        <Box
          as="section"
          aria-label="Preview"
          position="relative"
          {...PREVIEW_SIZE}
          borderWidth="1px"
          borderRadius="l3"
          overflow="hidden"
        >
          <Suspense fallback={<Skeleton boxSize="full" />}>
            <FlowPreview flow={read.flow} definitions={definitions} kind={kind} />
          </Suspense>
        </Box>
      )}
    </Stack>
  )
}

interface UseButtonProps {
  name: string
  kind: CanvasKind
  flow: FlowDocument
  definitions: Definitions
}

/** Uses the template at once, or asks for credentials first. */
function UseButton({ name, kind, flow, definitions }: UseButtonProps) {
  const { busy, use } = useTemplate(name, kind.type)
  const [asking, setAsking] = useState(false)
  const needs = useMemo(() => credentialNeeds(flow, definitions.values()), [flow, definitions])
  if (!useCan()(flowPermissions([kind.type], 'create'))) return null
  return (
    <>
      <Button
        colorPalette="accent"
        loading={busy && !asking}
        onClick={() => (needs.length > 0 ? setAsking(true) : void use(flow))}
      >
        <IconCopyPlus aria-hidden />
        Use template
      </Button>
      {asking && (
        <Suspense>
          <UseTemplateDialog flow={flow} needs={needs} busy={busy} onUse={use} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

function Labels({ template: { type, badge, framework, usecases, categories } }: { template: TemplateDetail }) {
  const label = (text: string, of: string, rest?: object): ReactNode => (
    <Badge key={`${of} ${text}`} maxW="full" overflowWrap="anywhere" whiteSpace="normal" {...rest}>
      {text}
    </Badge>
  )
  return (
    <Flex gap="2" wrap="wrap">
      {badge && label(badge, 'badge', { colorPalette: 'accent' })}
      {label(templateTypeName(type), 'type')}
      {framework.map((each) => label(each, 'framework'))}
      {usecases.map((each) => label(each, 'use case', { variant: 'outline' }))}
      {categories.map((each) => label(each, 'step', { variant: 'outline' }))}
    </Flex>
  )
}

function BackLink() {
  return (
    <Button asChild size="sm" variant="ghost" alignSelf="start" ms="-3">
      <Link to="/marketplaces">
        <IconArrowLeft size={16} aria-hidden />
        All templates
      </Link>
    </Button>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <Stack gap="4">
      <BackLink />
      <ErrorState
        isPage
        title={isGone ? 'Template not found' : 'Couldn’t load this template'}
        text={isGone ? 'It was deleted, or it belongs to another workspace.' : error.message}
        {...(!isGone && { onRetry })}
      />
    </Stack>
  )
}

function Loading() {
  return (
    <Stack gap="4" role="status" aria-label="Loading template">
      <Skeleton h="8" w="64" />
      <Skeleton h="5" w="96" maxW="full" />
      <Skeleton {...PREVIEW_SIZE} borderRadius="l3" />
    </Stack>
  )
}
