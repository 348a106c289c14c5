import { expect, it } from 'vitest'
import { listPresets, presetFor } from './presets.ts'

const group = {
  area: 'variables',
  label: 'Variables',
  permissions: [
    { name: 'variables:view', label: 'View' },
    { name: 'variables:create', label: 'Create' },
  ],
}

const flows = {
  area: 'agentflows',
  label: 'Agentflows',
  permissions: [
    { name: 'agentflows:view', label: 'View' },
    { name: 'agentflows:update', label: 'Update' },
  ],
}

it('limits presets to the permissions that the user can grant', () => {
  const granted = (...groups: (typeof group)[]) =>
    listPresets(groups).map(({ label, permissions }) => [label, permissions])
  expect(granted(flows, group)).toEqual([
    ['Run flows', ['agentflows:view']],
    ['Read', ['agentflows:view', 'variables:view']],
    ['Everything', ['agentflows:view', 'agentflows:update', 'variables:view', 'variables:create']],
  ])
  expect(granted(group).map(([label]) => label)).toEqual(['Read', 'Everything'])
  expect(granted()).toEqual([])
})

it.each([
  [['variables:view', 'agentflows:view'], 'Read'],
  [['agentflows:view'], 'Run flows'],
  [['agentflows:view', 'variables:create'], undefined],
  [[], undefined],
])('matches %j to the preset %s', (chosen, label) => {
  expect(presetFor(chosen, listPresets([flows, group]))?.label).toBe(label)
})
