import { Box, Text } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import type { Suggestion } from '#contract/flow/references/suggestions.ts'

interface SuggestionListProps {
  id: string
  suggestions: readonly Suggestion[]
  /** Index of the highlighted suggestion. */
  active: number
  onChoose: (suggestion: Suggestion) => void
}

/** The suggestions below a text field. The focus stays in the field. */
export function SuggestionList({ id, suggestions, active, onChoose }: SuggestionListProps) {
  const current = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the active suggestion changes
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <Box
      id={id}
      role="listbox"
      aria-label="Variables"
      position="absolute"
      top="100%"
      insetX="0"
      mt="1"
      zIndex="popover"
      maxHeight="260px"
      overflowY="auto"
      bg="bg.panel"
      borderWidth="1px"
      rounded="lg"
      shadow="lg"
      p="1"
    >
      {suggestions.map((suggestion, index) => (
        <Box
          key={suggestion.id}
          ref={index === active ? current : undefined}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          bg={index === active ? 'accent.subtle' : undefined}
          rounded="md"
          px="2"
          py="1"
          cursor="pointer"
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(suggestion)
          }}
        >
          <Text fontSize="sm">{suggestion.label}</Text>
          <Text fontSize="2xs" color="fg.muted" truncate>
            {`{{${suggestion.id}}}`}
            {suggestion.description && ` · ${suggestion.description}`}
          </Text>
        </Box>
      ))}
    </Box>
  )
}
