/**
 * Semantic colors of both modes. This is the only file with raw color values; `tokens.test.ts` checks that all text
 * colors reach WCAG 2.2 AA.
 */

/** Light value, dark value. */
export type Pair = readonly [light: string, dark: string]

/** The tokens of a Chakra `colorPalette`. */
interface Palette {
  solid: Pair
  contrast: Pair
  fg: Pair
  subtle: Pair
  muted: Pair
  emphasized: Pair
  border: Pair
  focusRing: Pair
}

const focusRing: Pair = ['#5547d9', '#968cff']

export const palettes = {
  gray: {
    solid: ['#23272f', '#eceef1'],
    contrast: ['#ffffff', '#15181d'],
    fg: ['#2b303a', '#dde1e6'],
    subtle: ['#eef0f3', '#22262d'],
    muted: ['#e2e5ea', '#2c313a'],
    emphasized: ['#ccd1d9', '#3b424d'],
    border: ['#d3d7de', '#3a414c'],
    focusRing,
  },
  accent: {
    solid: ['#5547d9', '#5c4ee0'],
    contrast: ['#ffffff', '#ffffff'],
    fg: ['#4a3cc4', '#b9b1ff'],
    subtle: ['#f0eeff', '#221f3d'],
    muted: ['#e0dcff', '#2e2a55'],
    emphasized: ['#c9c3ff', '#3f3975'],
    border: ['#8b80ea', '#6e64c8'],
    focusRing,
  },
  danger: {
    solid: ['#bf2733', '#c2323d'],
    contrast: ['#ffffff', '#ffffff'],
    fg: ['#ad1f2b', '#ff9fa7'],
    subtle: ['#fdeef0', '#371a1e'],
    muted: ['#fad9dc', '#482126'],
    emphasized: ['#f3b4ba', '#672c33'],
    border: ['#d5505b', '#e0606b'],
    focusRing: ['#bf2733', '#ff7f89'],
  },
  success: {
    solid: ['#18713f', '#1c7a46'],
    contrast: ['#ffffff', '#ffffff'],
    fg: ['#17643a', '#7fdaa5'],
    subtle: ['#e8f7ee', '#12291d'],
    muted: ['#cdecd9', '#183726'],
    emphasized: ['#a5d9b9', '#235037'],
    border: ['#2f9a5f', '#3fae72'],
    focusRing: ['#18713f', '#3fae72'],
  },
  warning: {
    solid: ['#8d5300', '#935800'],
    contrast: ['#ffffff', '#ffffff'],
    fg: ['#7a4a00', '#f2c063'],
    subtle: ['#fdf3df', '#2f2410'],
    muted: ['#fae6bd', '#403116'],
    emphasized: ['#f1cd86', '#5c461f'],
    border: ['#b97d12', '#c9953a'],
    focusRing: ['#8d5300', '#c9953a'],
  },
} satisfies Record<string, Palette>

export const surfaces = {
  bg: ['#fafafb', '#0f1115'],
  'bg.subtle': ['#f4f5f7', '#15181d'],
  'bg.muted': ['#edeff2', '#1e2228'],
  'bg.emphasized': ['#e2e5ea', '#2a2f37'],
  'bg.panel': ['#ffffff', '#181b20'],
  'bg.inverted': ['#1b1e24', '#f1f3f5'],
  'bg.error': palettes.danger.subtle,
  'bg.warning': palettes.warning.subtle,
  'bg.success': palettes.success.subtle,
  'bg.info': palettes.accent.subtle,
} satisfies Record<string, Pair>

export const texts = {
  fg: ['#15181e', '#f1f3f5'],
  'fg.muted': ['#555d6b', '#a9b1bd'],
  'fg.subtle': ['#5d6573', '#a0a8b5'],
  'fg.inverted': ['#fafafb', '#15181e'],
  'fg.error': palettes.danger.fg,
  'fg.warning': palettes.warning.fg,
  'fg.success': palettes.success.fg,
  'fg.info': palettes.accent.fg,
} satisfies Record<string, Pair>

export const lines = {
  border: ['#e0e3e9', '#2c3139'],
  'border.muted': ['#eaecf0', '#23272e'],
  'border.subtle': ['#f1f2f5', '#1c2026'],
  'border.emphasized': ['#c8cdd6', '#444b57'],
  /** The border of form controls, with a contrast of 3:1. */
  'border.control': ['#858d9a', '#6b7482'],
  'border.inverted': ['#2b303a', '#dde1e6'],
  'border.error': palettes.danger.border,
  'border.warning': palettes.warning.border,
  'border.success': palettes.success.border,
  'border.info': palettes.accent.border,
} satisfies Record<string, Pair>

/** The same in both modes. */
export const absolutes = { black: '#000000', white: '#ffffff' }

/** Colours of dots and icons, never of text or behind it. */
export const marks = {
  teal: ['#0f766e', '#4fc4b8'],
  indigo: ['#4f46e5', '#9a94ff'],
  orange: ['#c2410c', '#f59a63'],
  amber: ['#a35c00', '#e0ad4e'],
  pink: ['#be185d', '#f27fb0'],
  blue: ['#0369a1', '#62b5e8'],
  green: ['#2f7a2f', '#7cc47c'],
  violet: ['#7c3aed', '#b794f6'],
} satisfies Record<string, Pair>

/** Like `marks`, one per agent framework. */
export const frameworks = {
  langflow: ['#d6338a', '#f472b6'],
  adk: ['#1a73e8', '#6aa5f8'],
  crewai: ['#e0533d', '#ff8a75'],
  autogen: ['#0b8a83', '#45c9c0'],
} satisfies Record<string, Pair>
