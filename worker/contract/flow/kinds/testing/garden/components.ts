/** The node types of gardens. Their inputs and outputs have types, and none is where a garden must begin. */
import type { ComponentDefinition, InputParam } from '../../../params/definition.ts'

export const GARDEN = 'Garden'

const plant = (
  name: string,
  label: string,
  more: Pick<ComponentDefinition, 'inputs' | 'outputs'>,
): ComponentDefinition => ({
  name,
  label,
  version: 1,
  type: label,
  category: GARDEN,
  description: '',
  baseClasses: [],
  ...more,
})

/** Values of linked inputs are references, which a run resolves. */
const linked = (name: string, type: string, more: Partial<InputParam> = {}): InputParam => ({
  name,
  label: type,
  type,
  acceptVariable: true,
  ...more,
})

export const well = plant('well', 'Well', {
  inputs: [],
  outputs: [
    { name: 'water', label: 'Water', baseClasses: ['Water'] },
    { name: 'mud', label: 'Mud', baseClasses: ['Soil', 'Compost'] },
  ],
})

/** Grows flowers, or weeds where its seeds are poor. */
export const bed = plant('bed', 'Bed', {
  inputs: [
    linked('water', 'Water'),
    linked('soil', 'Soil', { list: true, optional: true }),
    { name: 'seeds', label: 'Seeds', type: 'string', default: 'tulips' },
  ],
  outputs: [
    { name: 'flowers', label: 'Flowers', baseClasses: ['Bouquet'] },
    { name: 'weeds', label: 'Weeds', baseClasses: ['Compost'] },
  ],
})

export const vase = plant('vase', 'Vase', { inputs: [linked('flowers', 'Bouquet')] })
export const heap = plant('heap', 'Heap', { inputs: [linked('scraps', 'Compost')] })

/** They send the garden back to an earlier plant, in ways that `ways` lists. */
export const worms = plant('worms', 'Worms', {
  inputs: [linked('scraps', 'Compost')],
  outputs: [
    { name: 'soil', label: 'Soil', baseClasses: ['Soil'] },
    { name: 'humus', label: 'Humus', baseClasses: ['Compost'] },
  ],
})

export const components = [well, bed, vase, heap, worms]
