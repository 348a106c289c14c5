/** What the model server of measurements answers, and what it is asked. */
export const TEXT = 'A short answer of a few words.'

/** A message that asks for a burst of so many words. */
export const askForWords = (count: number) => `Say ${count} words.`

/** How many words the message asks for, or 0. */
export const wordsAskedFor = (message: string) => Number(/^Say (\d{1,6}) words\.$/.exec(message)?.[1] ?? 0)
