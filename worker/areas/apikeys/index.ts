/** The exports of this area for other areas. */
export { mayGrant } from './permissions.ts'
