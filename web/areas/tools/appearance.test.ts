import { expect, test } from 'vitest'
import { DEFAULT_TOOL_COLOR } from '#contract/tools/tool-file.ts'
import { shownColor, shownIcon } from './appearance.ts'

test.each([
  ['#a1b2c3', '#a1b2c3'],
  ['linear-gradient(rgb(1,2,3), rgb(4,5,6))', 'linear-gradient(rgb(1,2,3), rgb(4,5,6))'],
  ['url(https://tracker.example/x.png)', DEFAULT_TOOL_COLOR],
  ['linear-gradient(red), url(https://tracker.example)', DEFAULT_TOOL_COLOR],
  ['red; position: fixed', DEFAULT_TOOL_COLOR],
  ['', DEFAULT_TOOL_COLOR],
])('the color %j is shown as %s', (color, shown) => {
  expect(shownColor(color)).toBe(shown)
})

test.each([
  ['data:image/svg+xml;base64,AAAA', 'data:image/svg+xml;base64,AAAA'],
  ['https://example.com/icon.svg', undefined],
  ['javascript:alert(1)', undefined],
  [null, undefined],
])('the picture %j is loaded from %j', (iconSrc, shown) => {
  expect(shownIcon(iconSrc)).toBe(shown)
})
