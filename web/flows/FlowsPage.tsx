import { Button, Flex, Link as TextLink } from '@chakra-ui/react'
import { IconCopy, IconLayoutGridAdd, IconPencil, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { areaOf } from '#contract/areas.ts'
import type { FlowListItem } from '#contract/chatflows/flow-summary.ts'
import { type CanvasFlowType, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import { flowLink } from '../api/flow-link.ts'
import { useCan } from '../api/use-can.ts'
import { flowNoun } from '../api/use-flow-types.ts'
import { RenameDialog } from '../builder/RenameDialog.tsx'
import { duplicateFlow } from './actions.ts'
import { FlowCard } from './FlowCard.tsx'
import { FlowListPage } from './FlowListPage.tsx'
import { ImportButton } from './ImportButton.tsx'
import { flowPages } from './queries.ts'

const TemplateDialog = lazy(() => import('../builder/templates/TemplateDialog.tsx'))

interface FlowsPageProps {
  type: CanvasFlowType
  purpose: string
  /** What an empty list says of a first flow. */
  emptyText: string
  /** Below the list. */
  children?: ReactNode
}

/** The list of the workspace's flows of one type. */
export function FlowsPage({ type, purpose, emptyText, children }: FlowsPageProps) {
  const { pages, permissions } = KIND_FACTS[type]
  const noun = flowNoun(type)
  const [renaming, setRenaming] = useState<FlowListItem>()
  const [template, setTemplate] = useState<FlowListItem>()
  const can = useCan()
  const actions = can(`${permissions}:create`) && (
    <Flex gap="2" wrap="wrap" justify="center">
      <ImportButton />
      <Button asChild colorPalette="accent">
        <Link {...flowLink(type)}>
          <IconPlus aria-hidden />
          New {noun}
        </Link>
      </Button>
    </Flex>
  )
  return (
    <>
      <FlowListPage
        title={areaOf(pages.list).title}
        purpose={purpose}
        noun={`${noun}s`}
        pages={flowPages(type)}
        name={({ id, name }) => (
          <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere">
            <Link {...flowLink(type, id)}>{name}</Link>
          </TextLink>
        )}
        columns={[{ header: 'Nodes', cell: ({ nodes }) => nodes ?? '', minor: true }]}
        actionsOf={(flow) => [
          ...(can(`${permissions}:update`)
            ? [{ label: 'Rename', icon: IconPencil, onSelect: () => setRenaming(flow) }]
            : []),
          ...(can(`${permissions}:create`)
            ? [{ label: 'Duplicate', icon: IconCopy, onSelect: () => duplicateFlow(flow) }]
            : []),
          ...(can('templates:create')
            ? [{ label: 'Save as template', icon: IconLayoutGridAdd, onSelect: () => setTemplate(flow) }]
            : []),
        ]}
        canDelete={can(`${permissions}:delete`)}
        card={(flow, menu) => <FlowCard flow={flow} link={flowLink(type, flow.id)} menu={menu} />}
        actions={actions}
        empty={{ title: `Create your first ${noun}`, text: emptyText, action: actions }}
      />
      {children}
      {renaming && <RenameDialog flow={renaming} onClose={() => setRenaming(undefined)} />}
      {template && (
        <Suspense>
          <TemplateDialog of={{ flow: { ...template, type } }} onClose={() => setTemplate(undefined)} />
        </Suspense>
      )}
    </>
  )
}
