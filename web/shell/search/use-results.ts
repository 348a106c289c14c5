import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type AreaIcon, type AreaPath, areaOf } from '#contract/areas.ts'
import { type CanvasFlowType, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import type { SearchKind, SearchResult } from '#contract/search/search.ts'
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

interface KindShown {
  noun: string
  path: AreaPath
  icon: AreaIcon
}

const KINDS: Record<Exclude<SearchKind, 'flow'>, KindShown> = {
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
  const found = wanted === '' ? [] : (data?.data ?? []).map(toRow)
  return {
    results: mergeResults(query, { pages, actions, found }),
    searching: wanted !== '' && (isFetching || wanted !== settled),
  }
}

function toRow(result: SearchResult) {
  const { kind, id, title, detail } = result
  const { noun, path, icon, target } = toTarget(result)
  return {
    key: `${kind} ${id}`,
    // Flows of each type take turns with what else was found.
    kind: result.type ?? kind,
    title,
    description: detail ? `${noun} of ${detail}` : noun,
    icon,
    path,
    target,
  }
}

function toTarget({ kind, type, id }: SearchResult): KindShown & Pick<Result, 'target'> {
  if (kind !== 'flow') return { ...KINDS[kind], target: targetOf(kind, id) }
  const { label: noun, pages } = KIND_FACTS[type as CanvasFlowType]
  const path = pages.list
  return { noun, path, icon: areaOf(path).icon, target: flowLink(type as CanvasFlowType, id) }
}

function targetOf(kind: keyof typeof KINDS, id: string): Result['target'] {
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
