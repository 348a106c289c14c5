/** Dark mode and layout, kept in local storage, and font and radius, which are not. Dark mode follows the system by default. */
import { proxy } from 'valtio/vanilla'
import { readStoredAppearance, type StoredAppearance, setMode } from './stored-appearance.ts'

interface Appearance extends StoredAppearance {
  /** CSS font family with fallbacks. */
  fontFamily: string
  /** Radius of cards and dialogs in pixels. */
  borderRadius: number
}

const STORED_SETTINGS = ['isDarkMode', 'isHorizontal'] as const

function read(): Appearance {
  const looks = {
    fontFamily: "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    borderRadius: 16,
  }
  if (typeof localStorage === 'undefined') return { isDarkMode: false, isHorizontal: false, ...looks }
  return { ...readStoredAppearance(), ...looks }
}

export const appearance = proxy<Appearance>(read())

/** Sets the custom properties that the theme reads. */
export function applyAppearance(): void {
  const { style } = document.documentElement
  setMode(appearance.isDarkMode)
  style.setProperty('--ui-font', appearance.fontFamily)
  style.setProperty('--ui-radius', `${appearance.borderRadius}px`)
}

export function setAppearance(change: Partial<Appearance>): void {
  Object.assign(appearance, change)
  for (const key of STORED_SETTINGS) if (key in change) localStorage.setItem(key, String(appearance[key]))
  applyAppearance()
}
