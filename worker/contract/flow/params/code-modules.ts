/** What `require` gives to code in a flow; the sandbox has their texts. */
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

/** Whether code may `require` a module of this name; `node:` before it changes nothing. */
export function isCodeModule(name: string): boolean {
  const plain = name.replace(/^node:/, '')
  return plain === 'timers/promises' || (CODE_MODULES as readonly string[]).includes(plain)
}
