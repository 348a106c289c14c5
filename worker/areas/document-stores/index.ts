/** What other areas may import. */

export { deleteAbandonedFiles } from './sent-files.ts'
