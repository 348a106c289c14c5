/** The exports of this area for other areas. */
export { isAnonymous } from './anonymous-session.ts'
export { authorizeCaller, countCall, hasKeyToView, keyHashOf, loadAuthorized } from './authorize.ts'
export { type LoadedCall, loadRunContext } from './load-run-context.ts'
export { plainTextErrors, withPlainTextErrors } from './plain-text-errors.ts'
export { prepareRun } from './prepare-run.ts'
