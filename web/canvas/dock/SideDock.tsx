import { DockPanel, type DockPanelProps } from './DockPanel.tsx'
import { Resizer } from './Resizer.tsx'

/** The dock at the side of the canvas. */
export default function SideDock(props: DockPanelProps) {
  return (
    <>
      <Resizer dock={props.dock} />
      <DockPanel {...props} />
    </>
  )
}
