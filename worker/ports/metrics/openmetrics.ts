/** The OpenMetrics 1.0 text format. Loaded when somebody asks. */
import type { Labels, Values } from './counts.ts'

/** A metric with its values, and what it says to people. */
export interface Family extends Values {
  help: string
}

/** @param common labels of every sample */
export function formatMetrics(families: readonly Family[], common: Labels): string {
  return [...families.flatMap((family) => linesOf(family, common)), '# EOF', ''].join('\n')
}

function linesOf({ name, help, unit, type, samples }: Family, common: Labels): string[] {
  return [
    `# TYPE ${name} ${type}`,
    ...(unit ? [`# UNIT ${name} ${unit}`] : []),
    `# HELP ${name} ${escapeText(help)}`,
    ...samples.map(
      ({ suffix = '', labels, value }) => `${name}${suffix}{${pairsOf({ ...labels, ...common })}} ${value}`,
    ),
  ]
}

const pairsOf = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeText(value)}"`)
    .join(',')

const escapeText = (text: string): string => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
