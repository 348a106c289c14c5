import { Button, chakra, Flex, Input } from '@chakra-ui/react'
import { IconCopy } from '@tabler/icons-react'
import { notify } from '../state/notify.ts'

/** Copies text to the clipboard and reports the result in a toast. */
export const copyText = (text: string, what: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => void notify.success(`${what} copied`),
    () => void notify.error(`${what} could not be copied. Select it and copy it yourself.`),
  )

interface Props {
  /** Name of the value, such as `URL`. */
  label: string
  value: string
}

/** A read-only value on one line with a copy button. */
export function CopyField({ label, value }: Props) {
  return (
    <Flex gap="2">
      <Input
        readOnly
        size="sm"
        fontFamily="mono"
        minWidth="0"
        aria-label={label}
        value={value}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton label={label} value={value} />
    </Flex>
  )
}

function CopyButton({ label, value }: Props) {
  return (
    <Button size="sm" variant="outline" aria-label={`Copy: ${label}`} onClick={() => void copyText(value, label)}>
      <IconCopy aria-hidden />
      Copy
    </Button>
  )
}

/** A read-only block of text with a copy button. */
export function CopyBlock({ label, value }: Props) {
  return (
    <Flex direction="column" gap="2" align="start">
      <chakra.pre
        tabIndex={0}
        aria-label={label}
        w="full"
        p="3"
        textStyle="xs"
        fontFamily="mono"
        bg="bg.subtle"
        borderRadius="l2"
        overflowX="auto"
      >
        {value}
      </chakra.pre>
      <CopyButton label={label} value={value} />
    </Flex>
  )
}
