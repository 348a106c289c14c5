import './pointer-tools.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useCan } from '../../api/use-can.ts'
import { credentialsQuery } from '../../inputs/credential/queries.ts'
import { useCanvas } from '../store/context.ts'
import { DragMarks } from './DragMarks.tsx'
import { EdgeTools } from './EdgeTools.tsx'
import { NodeSearch } from './NodeSearch.tsx'
import { NodeTools } from './NodeTools.tsx'
import { SelectionMenu } from './SelectionMenu.tsx'
import { createSnapping } from './snapping.ts'

export { createSnapping }

/** Pointer tools of the canvas: node search, menus, tools at nodes and connections, snapping. Loaded at the first sign of a person. */
export default function PointerTools() {
  const canvas = useCanvas()
  const { menu } = useSnapshot(canvas.state)
  const mayChoose = useCan()('credentials:view')
  const { data: credentials } = useQuery({ ...credentialsQuery(), enabled: mayChoose })
  useEffect(() => {
    if (credentials) canvas.credentials = credentials
  }, [canvas, credentials])
  useEffect(() => {
    canvas.snapping = createSnapping()
    return () => {
      canvas.snapping = null
    }
  }, [canvas])
  return (
    <>
      <DragMarks />
      <EdgeTools />
      <NodeTools />
      {menu?.what === 'search' && <NodeSearch key={`${menu.place.x} ${menu.place.y}`} menu={menu} />}
      {menu?.what === 'selection' && <SelectionMenu menu={menu} />}
    </>
  )
}
