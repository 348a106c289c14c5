/** What other areas may import. */

export { sendDueLetters, sendLettersLater } from './delivery.ts'
export { assertCanSendLetters, canSendLetters, queueLetter, takeLetter, withdrawLetters } from './outbox.ts'
export { endTokens, isOpen, letterLink, makeToken, readToken, usedToken, useToken } from './tokens.ts'
