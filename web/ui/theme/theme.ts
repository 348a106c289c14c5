/**
 * The base theme: Chakra with our tokens and the recipes of the sign-in pages. Add other recipes to `full-theme.ts`.
 */
import { createSystem, defaultBaseConfig, defineConfig, mergeConfigs } from '@chakra-ui/react'
import {
  animationStyles,
  breakpoints,
  buttonRecipe,
  fieldSlotRecipe,
  globalCss,
  headingRecipe,
  inputRecipe,
  keyframes,
  layerStyles,
  linkRecipe,
  spinnerRecipe,
  textStyles,
} from '@chakra-ui/react/theme'
import { absolutes, frameworks, lines, marks, type Pair, palettes, surfaces, texts } from './tokens.ts'

/** Converts `{ 'bg.subtle': [light, dark] }` to Chakra's nested semantic tokens. */
function semantic(pairs: Record<string, Pair>) {
  const nested: Record<string, Record<string, unknown>> = {}
  for (const [path, [light, dark]] of Object.entries(pairs)) {
    const [group = '', name = 'DEFAULT'] = path.split('.')
    nested[group] = { ...nested[group], [name]: { value: { _light: light, _dark: dark } } }
  }
  return nested
}

const named = (group: string, pairs: Record<string, Pair>) =>
  semantic(Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [`${group}.${name}`, pair])))

const values = <Value extends string | number>(entries: Record<string, Value>): Record<string, { value: Value }> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, { value }]))

const steps = [
  0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56,
  60, 64, 72, 80, 96,
]
const spacing = Object.fromEntries(steps.map((step) => [step, `${step / 4}rem`]))
const widths = { xs: 20, sm: 24, md: 28, lg: 32, xl: 36, '2xl': 42, '3xl': 48, '4xl': 56, '5xl': 64, '6xl': 72 }
/** `web/api/appearance.ts` sets these custom properties on the document. */
const sans = 'var(--ui-font)'
const corner = 'var(--ui-radius)'

const ours = defineConfig({
  preflight: true,
  cssVarsPrefix: 'heddle',
  cssVarsRoot: ':where(html)',
  globalCss: {
    ...globalCss,
    html: { color: 'fg', bg: 'bg', lineHeight: '1.5', colorPalette: 'gray', fontFamily: 'body' },
    '*::placeholder, *[data-placeholder]': { color: 'fg.subtle' },
    ':focus-visible': { outline: '2px solid', outlineColor: 'accent.focusRing', outlineOffset: '2px' },
    '*, *::before, *::after': {
      '@media (prefers-reduced-motion: reduce)': {
        animationDuration: '0.01ms !important',
        animationIterationCount: '1 !important',
        transitionDuration: '0.01ms !important',
        scrollBehavior: 'auto !important',
      },
    },
  },
  theme: {
    breakpoints,
    keyframes,
    textStyles,
    layerStyles,
    animationStyles,
    tokens: {
      colors: {
        ...values(absolutes),
        blackAlpha: { 500: { value: 'rgba(0, 0, 0, 0.48)' } },
      },
      spacing: values(spacing),
      sizes: values({
        ...spacing,
        ...Object.fromEntries(Object.entries(widths).map(([name, rem]) => [name, `${rem}rem`])),
        full: '100%',
        min: 'min-content',
        max: 'max-content',
        fit: 'fit-content',
        topBar: '64px',
      }),
      fonts: values({
        heading: sans,
        body: sans,
        mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
      }),
      fontSizes: values({
        '2xs': '0.6875rem',
        xs: '0.75rem',
        sm: '0.875rem',
        md: '1rem',
        lg: '1.125rem',
        xl: '1.25rem',
        '2xl': '1.5rem',
        '3xl': '1.875rem',
        '4xl': '2.25rem',
      }),
      fontWeights: values({ normal: 400, medium: 500, semibold: 600, bold: 700 }),
      lineHeights: values({ shorter: '1.25', short: '1.375', moderate: '1.5', tall: '1.625' }),
      letterSpacings: values({ tight: '-0.015em', wide: '0.025em', widest: '0.1em' }),
      radii: values({
        none: '0',
        xs: '4px',
        sm: '6px',
        md: '8px',
        lg: '10px',
        xl: '12px',
        '2xl': corner,
        full: '9999px',
      }),
      durations: values({
        fastest: '50ms',
        faster: '100ms',
        fast: '150ms',
        moderate: '200ms',
        slow: '300ms',
        slower: '400ms',
        slowest: '500ms',
      }),
      easings: values({ 'ease-in': 'cubic-bezier(0.4, 0, 1, 1)', 'ease-out': 'cubic-bezier(0, 0, 0.2, 1)' }),
      animations: values({ spin: 'spin 1s linear infinite', pulse: 'pulse 2s ease-in-out infinite' }),
      zIndex: values({
        base: 0,
        docked: 10,
        dropdown: 1000,
        sticky: 1100,
        overlay: 1300,
        modal: 1400,
        popover: 1500,
        skipNav: 1600,
        toast: 1700,
        tooltip: 1800,
      }),
      cursor: values({ button: 'pointer', checkbox: 'pointer', disabled: 'not-allowed', menuitem: 'pointer' }),
    },
    semanticTokens: {
      colors: {
        ...semantic({ ...surfaces, ...texts, ...lines }),
        ...Object.assign({}, ...Object.entries(palettes).map(([name, palette]) => named(name, { ...palette }))),
        ...named('framework', frameworks),
        ...named('mark', marks),
      },
      radii: { l1: { value: '{radii.sm}' }, l2: { value: '{radii.lg}' }, l3: { value: '{radii.2xl}' } },
      shadows: Object.fromEntries(
        Object.entries({
          xs: '0 1px 2px',
          sm: '0 1px 4px',
          md: '0 4px 12px',
          lg: '0 10px 30px',
          xl: '0 16px 40px',
        }).map(([name, offset]) => [
          name,
          { value: { _light: `${offset} rgba(20, 24, 40, 0.14)`, _dark: `${offset} rgba(0, 0, 0, 0.6)` } },
        ]),
      ),
    },
    recipes: {
      button: buttonRecipe,
      heading: headingRecipe,
      input: inputRecipe,
      link: linkRecipe,
      spinner: spinnerRecipe,
    },
    slotRecipes: { field: fieldSlotRecipe },
  },
})

/** Form controls have a border with a contrast of 3:1. */
export const controlLook = { borderColor: 'border.control', bg: 'bg.panel' }

export const firstTheme = mergeConfigs(
  defaultBaseConfig,
  ours,
  defineConfig({
    theme: {
      recipes: {
        // Chakra hides the words of a button while it loads, from screen readers too.
        button: {
          base: {
            '&[data-loading] > span > div + span': {
              visibility: 'visible !important',
              color: 'transparent !important',
            },
          },
        },
        input: { variants: { variant: { outline: controlLook } } },
      },
    },
  }),
)

export const system = createSystem(firstTheme)
