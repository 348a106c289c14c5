import { expect, it } from 'vitest'
import { palette } from '#contract/flow/kinds/agentflow/palette.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { paletteGroups } from '../../panels/palette-groups.ts'
import { condition, llm, start } from './testing/flows.ts'

const named = (name: string, label: string, description = ''): ComponentDefinition => ({
  ...llm,
  name,
  label,
  description,
})
const http = named('httpAgentflow', 'HTTP', 'Calls a service')
const note = named('stickyNoteAgentflow', 'Sticky Note')
const all = [start, note, http, condition, llm]

it('groups the node types under headings, in the order in which they are known', () => {
  expect(paletteGroups(palette, all, '')).toEqual([
    { heading: 'Models and agents', definitions: [llm] },
    { heading: 'Logic', definitions: [start, condition] },
    { heading: 'Actions', definitions: [http] },
    { heading: 'Notes', definitions: [note] },
  ])
})

it('lists what is not named among the actions, and no empty group', () => {
  const other = named('somethingAgentflow', 'Something')
  expect(paletteGroups(palette, [other], ' ')).toEqual([{ heading: 'Actions', definitions: [other] }])
})

it('a search has no headings: labels come before descriptions', () => {
  const service = named('serviceAgentflow', 'Service')
  expect(paletteGroups(palette, [...all, service], 'Service ')).toEqual([
    { heading: null, definitions: [service, http] },
  ])
})
