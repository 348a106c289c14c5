import { ReactFlowProvider } from '@xyflow/react'
import { useMemo } from 'react'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { CanvasKind, Definitions } from '../kinds/types.ts'
import { CanvasProvider } from '../store/context.ts'
import { createCanvas } from '../store/store.ts'
import { Flow } from '../surface/Surface.tsx'

interface Props {
  flow: FlowDocument
  definitions: Definitions
  kind: CanvasKind
}

/** A flow that can be looked at, not changed. Fills its parent. */
export default function FlowPreview({ flow, definitions, kind }: Props) {
  const canvas = useMemo(() => {
    const { viewport: _, ...drawing } = flow
    const created = createCanvas(drawing, [...definitions.values()], kind)
    created.marks = new Map()
    return created
  }, [flow, definitions, kind])
  return (
    <CanvasProvider value={canvas}>
      <ReactFlowProvider>
        <Flow miniMap={false} readOnly />
      </ReactFlowProvider>
    </CanvasProvider>
  )
}
