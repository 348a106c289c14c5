import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { findAssets } from '#contract/flow/assets/assets.ts'
import { ownAssetsQuery } from '../../api/own-assets.ts'
import { useCan } from '../../api/use-can.ts'
import { EDITS_FLOWS } from '../../inputs/use-options.ts'
import { useCanvas } from '../store/context.ts'
import { followProblems } from '../store/follow-problems.ts'
import { useSettledFlow } from '../store/hooks.ts'

/** A list of this length may be cut, so it does not say what was deleted. */
const MAX_LISTED = 1000

/** Keeps the checklist up to date while the canvas is open. */
export default function ProblemFinder({ flowId }: { flowId: string | undefined }) {
  const canvas = useCanvas()
  const flow = useSettledFlow(canvas, 250)
  const used = useMemo(() => new Set(findAssets(flow).map(({ kind }) => kind)), [flow])
  const tool = useOwnIds('tool', used.has('tool'))
  const mcpServer = useOwnIds('mcpServer', used.has('mcpServer'))
  const { hasCatalogue } = useSnapshot(canvas.state)
  useEffect(
    () => (hasCatalogue ? followProblems(canvas, { flowId, own: { tool, mcpServer } }) : undefined),
    [canvas, hasCatalogue, flowId, tool, mcpServer],
  )
  return null
}

/** Returns undefined until the ids are known. */
function useOwnIds(kind: 'tool' | 'mcpServer', isUsed: boolean): ReadonlySet<string> | undefined {
  const enabled = useCan()(EDITS_FLOWS) && isUsed
  const { data } = useQuery({ ...ownAssetsQuery(kind), enabled })
  return useMemo(
    () => (enabled && data && data.length < MAX_LISTED ? new Set(data.map(({ name }) => name)) : undefined),
    [enabled, data],
  )
}
