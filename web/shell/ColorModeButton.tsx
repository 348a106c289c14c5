import { IconButton } from '@chakra-ui/react'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { appearance, setAppearance } from '../api/appearance.ts'

export function ColorModeButton() {
  const { isDarkMode } = useSnapshot(appearance)
  return (
    <IconButton
      variant="ghost"
      role="switch"
      aria-label="Dark mode"
      aria-checked={isDarkMode}
      title={isDarkMode ? 'Switch to light mode' : 'Switch to dark mode'}
      onClick={() => setAppearance({ isDarkMode: !isDarkMode })}
    >
      {isDarkMode ? <IconSun aria-hidden /> : <IconMoon aria-hidden />}
    </IconButton>
  )
}
