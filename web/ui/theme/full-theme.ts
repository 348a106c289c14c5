/** Recipes for everything behind sign-in. Unused recipes are left out. */
import { createSystem, defineConfig } from '@chakra-ui/react'
import {
  badgeRecipe,
  cardSlotRecipe,
  checkboxSlotRecipe,
  checkmarkRecipe,
  codeRecipe,
  dialogSlotRecipe,
  drawerSlotRecipe,
  iconRecipe,
  kbdRecipe,
  menuSlotRecipe,
  nativeSelectSlotRecipe,
  skeletonRecipe,
  skipNavLinkRecipe,
  switchSlotRecipe,
  tableSlotRecipe,
  tabsSlotRecipe,
  textareaRecipe,
} from '@chakra-ui/react/theme'
import { controlLook, firstTheme } from './theme.ts'

const recipes = defineConfig({
  theme: {
    recipes: {
      badge: badgeRecipe,
      checkmark: checkmarkRecipe,
      code: codeRecipe,
      icon: iconRecipe,
      kbd: kbdRecipe,
      skeleton: skeletonRecipe,
      skipNavLink: skipNavLinkRecipe,
      textarea: textareaRecipe,
    },
    slotRecipes: {
      card: cardSlotRecipe,
      checkbox: checkboxSlotRecipe,
      dialog: dialogSlotRecipe,
      drawer: drawerSlotRecipe,
      menu: menuSlotRecipe,
      nativeSelect: nativeSelectSlotRecipe,
      switch: switchSlotRecipe,
      table: tableSlotRecipe,
      tabs: tabsSlotRecipe,
    },
  },
})

const look = defineConfig({
  theme: {
    recipes: {
      // Chakra narrows the space between keys until "Ctrl K" reads "CtrlK".
      kbd: { base: { wordSpacing: 'normal' } },
      // Long names stay within their cell.
      code: { base: { whiteSpace: 'normal', overflowWrap: 'anywhere' } },
      textarea: { variants: { variant: { outline: controlLook } } },
      checkmark: { variants: { variant: { solid: { borderColor: 'border.control' } } } },
    },
    slotRecipes: {
      dialog: {
        slots: dialogSlotRecipe.slots,
        variants: {
          placement: {
            // On phones toasts have the strip above: they cover neither the title nor the ×.
            center: { positioner: { px: '4', pt: { base: '20', md: '4' }, pb: '4' } },
          },
        },
      },
      switch: {
        slots: switchSlotRecipe.slots,
        base: { root: { colorPalette: 'accent' } },
        variants: { variant: { solid: { control: { bg: 'border.control' } } } },
      },
      nativeSelect: {
        slots: nativeSelectSlotRecipe.slots,
        base: { field: { textOverflow: 'ellipsis' } },
        variants: { variant: { outline: { field: controlLook } } },
      },
    },
  },
})

export const fullSystem = createSystem(firstTheme, recipes, look)
