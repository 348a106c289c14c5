interface Guess {
  /** The kind of secret that is guessed. */
  about: string
  userId: string | undefined
  /** The user has signed in with this browser before. */
  isKnown: boolean
  /** Key under which guesses of anonymous callers are counted. */
  otherwise: string
}

/**
 * A browser that the user has signed in with before has its own counter, so that anonymous callers cannot lock the user
 * out.
 */
export const guessKey = ({ about, userId, isKnown, otherwise }: Guess): string =>
  userId && isKnown ? `${about} known ${userId}` : `${about} ${otherwise}`
