/** Bringing a saved node to its component's present version. */

import type { ComponentDefinition } from '../params/definition.ts'
import { storedParams, withDisplay, withFormerNames } from '../params/params.ts'
import { conditionAnchors, conditionItems } from './conditions.ts'
import { declaredParts } from './create.ts'
import type { FlowNode } from './document.ts'
import { isConditionNode } from './node-kinds.ts'

export function needsUpgrade(node: FlowNode, definition: ComponentDefinition): boolean {
  return (node.data.version ?? 0) < definition.version
}

/**
 * The node as its definition describes it now: parameters, anchors and description are new; id, label, position,
 * credential and every input stay, also those that are no longer declared. New inputs get their defaults. Output
 * handles keep their ids, so edges stay.
 */
export function upgradeNode(node: FlowNode, definition: ComponentDefinition): FlowNode {
  const { params, anchors, defaults, outputAnchors } = declaredParts(definition, node.id)
  const inputs = { ...defaults, ...withFormerNames(definition.inputs, node.data.inputs ?? {}) }
  const { version, type, category, description, baseClasses, color, hideInput, hideOutput } = definition
  return {
    ...node,
    data: {
      ...node.data,
      version,
      type,
      category,
      description,
      baseClasses,
      ...(color === undefined ? {} : { color }),
      hideInput,
      hideOutput,
      inputParams: storedParams(withDisplay(params, inputs)),
      inputAnchors: storedParams(anchors),
      inputs,
      outputAnchors: isConditionNode(node.data) ? conditionAnchors(node, conditionItems(node).length) : outputAnchors,
    },
  }
}
