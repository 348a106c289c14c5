import { Field as ChakraField, Input, NativeSelect, SimpleGrid, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CodeInput } from '../../../inputs/CodeInput.tsx'
import { Field } from '../../../ui/forms/Form.tsx'
import type { FormErrors } from '../../../ui/forms/form-errors.ts'
import { componentsQuery } from '../api.ts'
import { ComponentField } from '../shared/ComponentField.tsx'
import { DEFAULT_TOP_K, type SearchDraft } from './search-draft.ts'

const FILTER = { label: 'Metadata filter', name: 'filter', type: 'json', placeholder: '{"year": {"$gte": 2024}}' }
const NO_SCOPE = { params: [], inputs: {} }

interface Props {
  draft: SearchDraft
  errors: FormErrors['fields']
  onChange(change: Partial<SearchDraft>): void
}

/** Search settings of a store, apart from the mode. */
export function SearchFields({ draft, errors, onChange }: Props) {
  const { data: rerankers } = useQuery(componentsQuery('rerankers'))
  return (
    <Stack gap="4">
      <SimpleGrid columns={{ base: 1, sm: 2, lg: 4 }} gap="4">
        <Field label="Results" help={`Default: ${DEFAULT_TOP_K}.`} error={errors.topK}>
          <Input
            inputMode="numeric"
            placeholder={String(DEFAULT_TOP_K)}
            value={draft.topK}
            onChange={(event) => onChange({ topK: event.target.value })}
          />
        </Field>
        <Field label="Score threshold" help="0 to 1, for vector search and rerankers." error={errors.threshold}>
          <Input
            inputMode="decimal"
            placeholder="None"
            value={draft.threshold}
            onChange={(event) => onChange({ threshold: event.target.value })}
          />
        </Field>
        <Field label="Diversity (MMR)" help="0 is most diverse, 1 is off." error={errors.mmrLambda}>
          <Input
            inputMode="decimal"
            placeholder="Off"
            value={draft.mmrLambda}
            onChange={(event) => onChange({ mmrLambda: event.target.value })}
          />
        </Field>
        <Field label="Neighbors" help="Chunks added around each hit.">
          <NativeSelect.Root>
            <NativeSelect.Field
              value={draft.neighbours}
              onChange={(event) => onChange({ neighbours: event.target.value })}
            >
              <option value="0">None</option>
              {['1', '2', '3', '4', '5'].map((count) => (
                <option key={count} value={count}>
                  {count} before and after
                </option>
              ))}
              <option value="section">The whole section</option>
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
        </Field>
      </SimpleGrid>
      <ComponentField
        name="reranker"
        label="Reranker"
        help="Sorts the results again. If it fails, they keep their order."
        definitions={rerankers}
        choice={draft.reranker}
        none="None"
        onChange={(reranker) => onChange({ reranker })}
      />
      <ChakraField.Root invalid={Boolean(errors.filter)}>
        <ChakraField.Label>{FILTER.label}</ChakraField.Label>
        <Stack w="full">
          <CodeInput
            id="search-filter"
            param={FILTER}
            value={draft.filter}
            onChange={(filter) => onChange({ filter: String(filter) })}
            onDone={() => {}}
            scope={NO_SCOPE}
          />
        </Stack>
        <ChakraField.HelperText>
          Finds only chunks whose metadata matches. Operators: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $exists, $and,
          $or, $not.
        </ChakraField.HelperText>
        <ChakraField.ErrorText>{errors.filter}</ChakraField.ErrorText>
      </ChakraField.Root>
    </Stack>
  )
}
