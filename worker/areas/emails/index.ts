/** What other areas may import. */

export { sendDueEmails, sendEmailsLater } from './delivery.ts'
export { assertCanSendEmail, canSendEmail, countEmail, queueEmail, withdrawEmails } from './queue.ts'
export { emailLink, endTokens, isOpen, makeToken, readToken, usedToken, useToken } from './tokens.ts'
