import { Box } from '@chakra-ui/react'
import { zone } from '../interactions/focus.ts'
import { BottomSheet } from '../panels/BottomSheet.tsx'
import { DockPanel, type DockPanelProps } from './DockPanel.tsx'

/** The dock of a phone. Its tabs get the focus: a field would raise the keyboard over the sheet. */
export default function DockSheet(props: DockPanelProps) {
  return (
    <BottomSheet open label="Details" closesItself onClose={props.dock.close}>
      <Box height="full" {...zone('dock')}>
        <DockPanel {...props} />
      </Box>
    </BottomSheet>
  )
}
