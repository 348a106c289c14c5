import { describe, expect, it } from 'vitest'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import { componentDefinitions } from '../nodes/catalogue.ts'
import { drawTemplate, kindOfTemplate } from './draw-template.ts'
import { templates } from './index.ts'

const definitions = componentDefinitions()

it('every template has an id and a name of its own', () => {
  for (const key of ['id', 'name'] as const)
    expect(new Set(templates.map((each) => each[key])).size).toBe(templates.length)
})

describe.each(templates.map((template) => [template.id, template] as const))('the template %s', (_, template) => {
  const flow = drawTemplate(template, definitions)

  it('passes the checklist', () => {
    expect(
      flowProblems(flow, definitions, { kind: kindOfTemplate(template) }).map(
        ({ label, issue }) => `${label}: ${issue}`,
      ),
    ).toEqual([])
  })

  it('lies from left to right without overlaps, below a note', () => {
    const boxes = flow.nodes.map(({ id, position, width = 240, height = 90, parentNode }) => ({
      id,
      ...position,
      width,
      height,
      parentNode,
    }))
    const overlapping = boxes.flatMap((a, index) =>
      boxes
        .slice(index + 1)
        .filter(
          (b) =>
            a.parentNode === b.parentNode &&
            a.x < b.x + b.width &&
            b.x < a.x + a.width &&
            a.y < b.y + b.height &&
            b.y < a.y + a.height,
        )
        .map((b) => `${a.id} ${b.id}`),
    )
    expect(overlapping).toEqual([])
    const x = new Map(flow.nodes.map((node) => [node.id, node.position.x]))
    for (const { source, target } of flow.edges) expect(x.get(source)).toBeLessThan(x.get(target) as number)
    expect(flow.nodes.filter(({ data }) => isStickyNote(data))).toHaveLength(1)
  })

  it('says what to change, and has a description that ends as a sentence', () => {
    expect(template.note).toMatch(/^Change first:\n1\. /)
    expect(template.description).toMatch(/^[A-Z].{30,140}\.$/)
    expect(template.usecases.length).toBeGreaterThan(0)
  })
})
