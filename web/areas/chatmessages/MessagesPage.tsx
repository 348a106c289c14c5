import { Box, Button, Flex, Grid, IconButton, Skeleton, Stack } from '@chakra-ui/react'
import { IconArrowLeft, IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { flowPermissions } from '#contract/access/callers.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { ApiError } from '../../api/client.ts'
import { flowPage, messagesLink } from '../../api/flow-link.ts'
import { useCan } from '../../api/use-can.ts'
import { FlowListButtons } from '../../flows/FlowListButtons.tsx'
import { flowQuery } from '../../flows/queries.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Pager } from '../../ui/lists/Pager.tsx'
import { ActionMenu } from '../../ui/menu/ActionMenu.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { countSessions, deleteSession, deleteSessions, exportMessages } from './actions.ts'
import { Conversation } from './Conversation.tsx'
import { Leads } from './Leads.tsx'
import { MessageFilterBar } from './MessageFilterBar.tsx'
import { PAGE_SIZE, sessionsQuery } from './queries.ts'
import { SessionList } from './SessionList.tsx'
import { filtersOf, type MessagesSearch } from './search.ts'
import { Totals } from './Totals.tsx'

interface MessagesPageProps {
  flowId: string
  /** Filters, page and the open session, which are in the URL. */
  search: MessagesSearch
  onSearch: (search: MessagesSearch) => void
}

/** A flow's messages, by session. */
export function MessagesPage(props: MessagesPageProps) {
  const flow = useQuery(flowQuery(props.flowId))
  if (flow.error instanceof ApiError && [400, 404].includes(flow.error.status)) {
    return (
      <EmptyState
        isPage
        title="Flow not found"
        text="It was deleted or belongs to another workspace."
        action={<FlowListButtons />}
      />
    )
  }
  if (flow.error) {
    return <ErrorState isPage title="Couldn’t load the flow" text={flow.error.message} onRetry={() => flow.refetch()} />
  }
  if (!flow.data) return <Skeleton h="64" role="status" aria-label="Loading messages" />
  return <MessagesOfFlow {...props} flow={flow.data} />
}

interface MessagesOfFlowProps extends Omit<MessagesPageProps, 'flowId'> {
  flow: { id: string; name: string; type: FlowType }
}

function MessagesOfFlow({ flow, search, onSearch }: MessagesOfFlowProps) {
  const { page = 1, view } = search
  const filters = filtersOf(search)
  const { data } = useQuery({ ...sessionsQuery(flow.id, filters, page), enabled: view === undefined })
  const mayDelete = useCan()(flowPermissions([flow.type], 'update', 'delete'))
  return (
    <Stack gap="5">
      <PageTitle
        title={`Messages of ${flow.name}`}
        purpose="All conversations with this flow."
        actions={
          <PageActions
            flow={flow}
            search={search}
            total={view ? 0 : (data?.total ?? 0)}
            mayDelete={mayDelete}
            onSearch={onSearch}
          />
        }
      />
      <Views flow={flow} view={view} />
      {view === 'leads' ? (
        <Leads flowId={flow.id} />
      ) : (
        <Sessions flow={flow} search={search} mayDelete={mayDelete} onSearch={onSearch} />
      )}
    </Stack>
  )
}

function Views({ flow, view }: Pick<MessagesOfFlowProps, 'flow'> & Pick<MessagesSearch, 'view'>) {
  const views = [
    ['Sessions', undefined],
    ['Leads', 'leads'],
  ] as const
  return (
    <Flex as="nav" aria-label="Views" gap="2">
      {views.map(([label, each]) => (
        <Button key={label} asChild size="sm" variant={each === view ? 'subtle' : 'ghost'}>
          <Link
            {...messagesLink(flow.type, flow.id)}
            search={each ? { view: each } : {}}
            aria-current={each === view ? 'page' : undefined}
          >
            {label}
          </Link>
        </Button>
      ))}
    </Flex>
  )
}

interface SessionsProps extends MessagesOfFlowProps {
  mayDelete: boolean
}

function Sessions({ flow, search, mayDelete, onSearch }: SessionsProps) {
  const filters = filtersOf(search)
  const { page = 1, session: open } = search
  const query = useQuery(sessionsQuery(flow.id, filters, page))
  const { data: sessions = [], total = 0 } = query.data ?? {}
  const isFiltered = Object.values(filters).some(Boolean)
  const linkTo = (session: string | undefined): LinkProps => ({
    ...messagesLink(flow.type, flow.id),
    search: { ...search, session },
  })
  const remove = async (session: string) => {
    if (await deleteSession(flow.id, session)) onSearch({ ...search, session: undefined })
  }
  return (
    <>
      {(total > 0 || isFiltered) && (
        <>
          <Totals flowId={flow.id} filters={filters} />
          <MessageFilterBar filters={filters} onChange={(changed) => onSearch(changed)} />
        </>
      )}
      {query.error && !query.data && (
        <ErrorState title="Couldn’t load messages" text={query.error.message} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <Skeleton h="64" role="status" aria-label="Loading messages" />}
      {query.data && total === 0 && !open && <NoSessions isFiltered={isFiltered} onClear={() => onSearch({})} />}
      {query.data && (total > 0 || open) && (
        <Grid gap="5" templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 22rem) minmax(0, 1fr)' }}>
          <Stack as="nav" aria-label="Sessions" gap="4" alignSelf="start" hideBelow={open ? 'lg' : undefined}>
            {sessions.length > 0 && <SessionList sessions={sessions} open={open} linkTo={linkTo} />}
            {total > PAGE_SIZE && (
              <Pager
                page={page}
                last={Math.ceil(total / PAGE_SIZE)}
                words={['Newer', 'Older']}
                onPage={(next) => onSearch({ ...filters, page: next })}
              />
            )}
          </Stack>
          {open ? (
            <Conversation
              key={open}
              flowId={flow.id}
              sessionId={open}
              session={sessions.find(({ sessionId }) => sessionId === open)}
              back={linkTo(undefined)}
              onDelete={mayDelete ? () => void remove(open) : undefined}
            />
          ) : (
            <Box hideBelow="lg" color="fg.muted" p="8" textAlign="center" borderWidth="1px" borderRadius="l3">
              Choose a session to read it.
            </Box>
          )}
        </Grid>
      )}
    </>
  )
}

interface PageActionsProps extends MessagesOfFlowProps {
  /** The number of sessions that match the filters. */
  total: number
  mayDelete: boolean
}

function PageActions({ flow, search, total, mayDelete, onSearch }: PageActionsProps) {
  const mayExport = useCan()('workspace:export')
  const filters = filtersOf(search)
  const page = flowPage(flow.type, flow.id)
  const remove = async () => {
    if (await deleteSessions(flow.id, { filters, total })) onSearch({})
  }
  const actions: MenuAction[] = [
    ...(mayExport
      ? [
          { label: 'Export as JSON', onSelect: () => void exportMessages(flow.id, filters, 'json') },
          { label: 'Export as CSV', onSelect: () => void exportMessages(flow.id, filters, 'csv') },
        ]
      : []),
    ...(mayDelete ? [{ label: `Delete ${countSessions(total)}`, danger: true, onSelect: () => void remove() }] : []),
  ]
  return (
    <Flex gap="2">
      {page && (
        <Button asChild variant="outline" size="sm">
          <Link {...page}>
            <IconArrowLeft size={16} aria-hidden />
            Open the flow
          </Link>
        </Button>
      )}
      {total > 0 && actions.length > 0 && (
        <ActionMenu
          actions={actions}
          trigger={
            <IconButton variant="outline" size="sm" aria-label="Actions for these sessions">
              <IconDots aria-hidden />
            </IconButton>
          }
        />
      )}
    </Flex>
  )
}

function NoSessions({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      title={isFiltered ? 'No sessions match these filters' : 'No messages yet'}
      text={
        isFiltered
          ? 'Change or clear the filters to see more.'
          : 'Chat with the flow or call it. Every conversation appears here.'
      }
      action={
        isFiltered && (
          <Button colorPalette="accent" onClick={onClear}>
            Clear filters
          </Button>
        )
      }
    />
  )
}
