/** The exports of this area for other areas. */
export { builtInGallery } from './built-in.ts'
