/** The appearance settings that this browser stores. */
export interface StoredAppearance {
  isDarkMode: boolean
  /** Top instead of side navigation. */
  isHorizontal: boolean
}

/** Dark mode follows the system until somebody chooses. */
export function readStoredAppearance(): StoredAppearance {
  const dark = localStorage.getItem('isDarkMode')
  return {
    isDarkMode: dark === null ? matchMedia('(prefers-color-scheme: dark)').matches : dark === 'true',
    isHorizontal: localStorage.getItem('isHorizontal') === 'true',
  }
}

export function setMode(isDarkMode: boolean): void {
  const { classList, style } = document.documentElement
  classList.toggle('dark', isDarkMode)
  classList.toggle('light', !isDarkMode)
  style.colorScheme = isDarkMode ? 'dark' : 'light'
}
