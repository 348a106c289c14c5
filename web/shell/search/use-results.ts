import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AreaIcon, AreaPath } from '#contract/areas.ts'
import type { SearchKind, SearchResult } from '#contract/search.ts'
import { api } from '../../api/client.ts'
import { flowLink } from '../../api/flow-link.ts'
import { keys } from '../../api/query.ts'
import { useViewer } from '../../api/use-can.ts'
import { useMenu } from '../use-menu.ts'
import { type Command, commandsFor } from './commands.ts'
import { mergeResults } from './merge.ts'

export interface Result {
  key: string
  title: string
  description: string
  icon: AreaIcon
  /** The page that it belongs to. */
  path: AreaPath
  target: Command['target'] | { to: string; params: { id: string } | { storeId: string } }
  run?(): void
}

/** Milliseconds without a keystroke before the server is asked. */
const TYPING = 150

const KINDS: Record<SearchKind, { noun: string; path: AreaPath; icon: AreaIcon }> = {
  flow: { noun: 'Agent flow', path: '/agentflows', icon: 'IconHierarchy3' },
  chatflow: { noun: 'Chat flow', path: '/chatflows', icon: 'IconMessages' },
  template: { noun: 'Template', path: '/marketplaces', icon: 'IconBuildingStore' },
  execution: { noun: 'Run', path: '/executions', icon: 'IconPlayerPlay' },
  trigger: { noun: 'Trigger', path: '/triggers', icon: 'IconBolt' },
  credential: { noun: 'Credential', path: '/credentials', icon: 'IconLock' },
  variable: { noun: 'Variable', path: '/variables', icon: 'IconVariable' },
  apikey: { noun: 'API key', path: '/apikey', icon: 'IconKey' },
  tool: { noun: 'Tool', path: '/tools', icon: 'IconTool' },
  documentStore: { noun: 'Document store', path: '/document-stores', icon: 'IconBooks' },
}

/** Returns what a query finds: pages and actions at once, the rest when the server has answered. */
export function useResults(query: string): { results: Result[]; searching: boolean } {
  const items = useMenu()
  const viewer = useViewer()
  const wanted = query.trim()
  const settled = useTyped(wanted)
  const { data, isFetching } = useQuery({
    queryKey: keys.list('search', { q: settled }),
    queryFn: ({ signal }) =>
      api.get<{ data: SearchResult[] }>('/search', { q: settled.slice(0, 100) }, { background: true, signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  })
  const pages = items.map(({ menuTitle, description, icon, path }) => ({
    key: path,
    title: menuTitle,
    description,
    icon: icon as AreaIcon,
    path,
    target: { to: path },
  }))
  const actions = (
    viewer
      ? commandsFor(
          viewer,
          items.map(({ path }) => path),
        )
      : []
  ).map((command) => ({
    ...command,
    key: command.title,
    description: 'Action',
  }))
  const found = wanted === '' ? [] : (data?.data ?? []).map(rowOf)
  return {
    results: mergeResults(query, { pages, actions, found }),
    searching: wanted !== '' && (isFetching || wanted !== settled),
  }
}

function rowOf({ kind, id, title, detail }: SearchResult) {
  const { noun, path, icon } = KINDS[kind]
  return {
    key: `${kind} ${id}`,
    kind,
    title,
    description: detail ? `${noun} of ${detail}` : noun,
    icon,
    path,
    target: targetOf(kind, id),
  }
}

function targetOf(kind: SearchKind, id: string): Result['target'] {
  if (kind === 'flow') return flowLink('AGENTFLOW', id)
  if (kind === 'chatflow') return flowLink('CHATFLOW', id)
  if (kind === 'template') return { to: '/v2/marketplace/$id', params: { id } }
  if (kind === 'execution') return { to: '/executions/$id', params: { id } }
  if (kind === 'trigger') return { to: '/triggers/$id', params: { id } }
  if (kind === 'documentStore') return { to: '/document-stores/$storeId', params: { storeId: id } }
  return { to: KINDS[kind].path }
}

function useTyped(text: string): string {
  const [typed, setTyped] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), TYPING)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}
