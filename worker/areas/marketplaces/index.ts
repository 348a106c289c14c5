/** What other areas may import. */
export { builtInGallery } from './built-in.ts'
