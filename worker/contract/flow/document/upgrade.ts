/** Upgrades saved nodes to the current version of their component. */

import type { FlowKind } from '../kinds/types.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { storedParams, withDisplay, withFormerNames } from '../params/params.ts'
import { declaredParts } from './create.ts'
import type { FlowNode } from './document.ts'

export function needsUpgrade(node: FlowNode, definition: ComponentDefinition): boolean {
  return (node.data.version ?? 0) < definition.version
}

/**
 * Returns the node as its definition describes it now. Parameters, anchors and description are replaced; id, label,
 * position, credential and all inputs stay, including those that are no longer declared. New inputs get their defaults.
 * Output handles keep their ids, so edges stay too.
 */
export function upgradeNode(node: FlowNode, definition: ComponentDefinition, kind: FlowKind): FlowNode {
  const { params, anchors, defaults, outputAnchors } = declaredParts(definition, node.id, kind)
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
      outputAnchors: kind.anchorsFromInputs(node) ?? outputAnchors,
    },
  }
}
