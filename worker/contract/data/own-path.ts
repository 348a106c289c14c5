const ORIGIN = 'https://pages.invalid'

/** Returns true for a path that a browser keeps on the site: it drops tabs and line breaks, and reads `\` as `/`. */
export const isOwnPath = (path: string): boolean => path.startsWith('/') && URL.parse(path, ORIGIN)?.origin === ORIGIN
