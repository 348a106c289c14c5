import { Button, Flex } from '@chakra-ui/react'

interface Props<Language extends string> {
  label: string
  languages: readonly Language[]
  chosen: Language
  onChoose: (language: Language) => void
  /** Follows each language. */
  suffix?: string
}

export function LanguageChoice<Language extends string>(props: Props<Language>) {
  const { label, languages, chosen, onChoose, suffix = '' } = props
  return (
    <Flex gap="2" wrap="wrap" role="group" aria-label={label}>
      {languages.map((each) => (
        <Button
          key={each}
          size="xs"
          variant={each === chosen ? 'subtle' : 'outline'}
          colorPalette={each === chosen ? 'accent' : undefined}
          aria-pressed={each === chosen}
          onClick={() => onChoose(each)}
        >
          {each}
          {suffix}
        </Button>
      ))}
    </Flex>
  )
}
