/** The source text of a module that was bundled for the interpreter (`worker/local/guest-modules.ts`). */
declare module '*?guest' {
  const source: string
  export default source
}

/** Packages for browsers without types; in Node's own types each is the module of the same name. */
declare module 'assert/'
declare module 'events/'
declare module 'path-browserify'
declare module 'querystring-es3'
declare module 'url/'
