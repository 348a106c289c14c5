/** Dark mode and layout, kept in local storage; until a person chooses, dark mode follows the system. */
import { proxy } from 'valtio/vanilla'

export interface Appearance {
  isDarkMode: boolean
  /** The menu across the top instead of at the side. */
  isHorizontal: boolean
}

function read(): Appearance {
  if (typeof localStorage === 'undefined') return { isDarkMode: false, isHorizontal: false }
  const dark = localStorage.getItem('isDarkMode')
  return {
    isDarkMode: dark === null ? matchMedia('(prefers-color-scheme: dark)').matches : dark === 'true',
    isHorizontal: localStorage.getItem('isHorizontal') === 'true',
  }
}

export const appearance = proxy<Appearance>(read())

/** Puts the mode on the document, where the theme's tokens look for it. */
export function applyAppearance(): void {
  const { classList, style } = document.documentElement
  classList.toggle('dark', appearance.isDarkMode)
  classList.toggle('light', !appearance.isDarkMode)
  style.colorScheme = appearance.isDarkMode ? 'dark' : 'light'
}

export function setAppearance(change: Partial<Appearance>): void {
  Object.assign(appearance, change)
  for (const [key, value] of Object.entries(change)) localStorage.setItem(key, String(value))
  applyAppearance()
}
