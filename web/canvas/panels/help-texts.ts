/** Texts that explain an input come from this product, also for nodes that a file brought with its own. */
import type { InputParam } from '#contract/flow/params/definition.ts'

/** Returns the node's parameters with the help texts of its definition. */
export function withHelpTexts(params: readonly InputParam[], known: readonly InputParam[] = []): InputParam[] {
  const byName = Map.groupBy(known, ({ name }) => name)
  return params.map((param) => {
    const { description, warning, ...rest } = param
    // Several parameters of one name differ by type, such as the values of a condition.
    const own = byName.get(param.name)?.find(({ type }) => type === param.type)
    if (!own) return param
    return {
      ...rest,
      ...(own.description && { description: own.description }),
      ...(own.warning && { warning: own.warning }),
      ...(param.array && { array: withHelpTexts(param.array, own.array) }),
    }
  })
}
