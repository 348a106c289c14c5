/** The answer of the model server that measurements use. */
export const ANSWER_TEXT = 'A short answer of a few words.'

export interface Words {
  count: number
  /** Each word by itself at this rate, as models write. Otherwise all at once. */
  perSecond?: number | undefined
  /** Each word by itself, one right after the other, as servers write that flush after each token. */
  apart?: boolean
}

/** A message that asks for so many words. */
export const askForWords = ({ count, perSecond, apart }: Words) => {
  if (apart) return `Say ${count} words apart.`
  return perSecond ? `Say ${count} words at ${perSecond} a second.` : `Say ${count} words.`
}

/** The words that the message asks for, if it does. */
export function wordsAskedFor(message: string): Words | undefined {
  const [, count, apart, perSecond] = /^Say (\d{1,6}) words(?:( apart)| at (\d{1,4}) a second)?\.$/.exec(message) ?? []
  if (!count) return undefined
  return { count: Number(count), perSecond: perSecond ? Number(perSecond) : undefined, apart: apart !== undefined }
}
