/** Questions to go on with after an answer. */
const MAX_PROMPTS = 5
const MAX_PROMPT_CHARACTERS = 300

/** Returns the questions of a list, as they are stored and sent. */
export function followUpsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const questions = value.filter((each): each is string => typeof each === 'string').map((each) => each.trim())
  return [...new Set(questions)]
    .filter(Boolean)
    .slice(0, MAX_PROMPTS)
    .map((each) => each.slice(0, MAX_PROMPT_CHARACTERS))
}
