/** Modules that code in a flow can `require`. The sandbox contains their source. */
export const CODE_MODULES = [
  'axios',
  'node-fetch',
  'assert',
  'buffer',
  'crypto',
  'events',
  'path',
  'querystring',
  'timers',
  'url',
] as const

/** Returns true when code may `require` a module of this name, with or without `node:`. */
export function isCodeModule(name: string): boolean {
  const plain = name.replace(/^node:/, '')
  return plain === 'timers/promises' || (CODE_MODULES as readonly string[]).includes(plain)
}
