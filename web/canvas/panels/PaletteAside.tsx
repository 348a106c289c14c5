import { Box, Flex, IconButton } from '@chakra-ui/react'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { zone } from '../interactions/focus.ts'
import { Palette, type PaletteProps } from './Palette.tsx'

interface PaletteAsideProps extends PaletteProps {
  isFolded: boolean
  onFold: (fold: boolean) => void
  /** The focus left the palette. */
  onLeave: () => void
}

/** The palette beside the canvas. It folds to a column of icons. */
export function PaletteAside({ onAdd, isFolded, onFold, onLeave }: PaletteAsideProps) {
  const text = isFolded ? 'Expand palette' : 'Collapse palette'
  return (
    <Flex
      as="aside"
      direction="column"
      width={isFolded ? '56px' : '228px'}
      flex="none"
      borderRightWidth="1px"
      bg="bg.panel"
      aria-label="Palette"
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || onLeave()}
      {...zone('palette')}
    >
      <Box flex="1" minHeight="0">
        <Palette onAdd={onAdd} isFolded={isFolded} />
      </Box>
      <IconButton
        size="xs"
        variant="ghost"
        m="2"
        alignSelf={isFolded ? 'center' : 'end'}
        aria-label={text}
        title={text}
        onClick={() => onFold(!isFolded)}
      >
        {isFolded ? <IconLayoutSidebarLeftExpand size={16} /> : <IconLayoutSidebarLeftCollapse size={16} />}
      </IconButton>
    </Flex>
  )
}
