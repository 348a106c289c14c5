import { chakra, Input, SimpleGrid, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import type { RunLimits } from '#contract/runs/limits.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { LIMIT_FIELDS, type LimitTexts } from './limit-texts.ts'

interface Props {
  title: string
  about: ReactNode
  values: LimitTexts
  errors: Readonly<Record<string, string>>
  /** Begins the names of the errors. */
  prefix: string
  readOnly?: boolean
  /** In place of a field's own help. */
  helpOf?: (name: keyof RunLimits, unit: string) => string | undefined
  onChange: (change: Partial<LimitTexts>) => void
}

/** One set of limits: of the flow, or of the workspace. */
export function LimitFields({ title, about, values, errors, prefix, readOnly = false, helpOf, onChange }: Props) {
  return (
    <chakra.fieldset minW="0">
      <chakra.legend fontWeight="semibold">{title}</chakra.legend>
      <Text fontSize="sm" color="fg.muted" mb="4">
        {about}
      </Text>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        {LIMIT_FIELDS.map(({ name, label, unit, help }) => (
          <Field key={name} label={label} error={errors[`${prefix}.${name}`]} help={helpOf?.(name, unit) ?? help}>
            <Input
              inputMode="decimal"
              placeholder="No limit"
              readOnly={readOnly}
              value={values[name]}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          </Field>
        ))}
      </SimpleGrid>
    </chakra.fieldset>
  )
}
