export { recordSignIn } from './record.ts'
export { purgeSignIns } from './store.ts'
