import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { BottomSheet } from './BottomSheet.tsx'
import { Palette } from './Palette.tsx'

interface PaletteSheetProps {
  onAdd: (definition: ComponentDefinition) => void
  onClose: () => void
}

/** The palette of a phone. */
export default function PaletteSheet({ onAdd, onClose }: PaletteSheetProps) {
  return (
    <BottomSheet open label="Add a node" onClose={onClose}>
      <Palette onAdd={onAdd} />
    </BottomSheet>
  )
}
