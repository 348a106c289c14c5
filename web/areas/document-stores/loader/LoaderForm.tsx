import { Box, Button, chakra, Flex, Grid, Heading, Input, Stack, Text } from '@chakra-ui/react'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { describePermissions } from '#contract/access/permissions.ts'
import type { DocumentLoader } from '#contract/document-stores/loaders.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { errorMessage } from '#contract/errors.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { ApiError } from '../../../api/client.ts'
import { useCan } from '../../../api/use-can.ts'
import { LeaveGuard } from '../../../builder/LeaveGuard.tsx'
import { notify } from '../../../state/notify.ts'
import { Field, Form } from '../../../ui/forms/Form.tsx'
import { noErrors, remainingErrors, serverErrors } from '../../../ui/forms/form-errors.ts'
import { processLoader, saveLoader } from '../api.ts'
import { LoaderIcon } from '../shared/LoaderIcon.tsx'
import { LoaderInputs } from './LoaderInputs.tsx'
import { buildRequest, checkLoader, type LoaderFields, toFields } from './loader-form.ts'
import { isRemote } from './loader-groups.ts'
import { PreviewPane } from './PreviewPane.tsx'
import { usePreview } from './use-preview.ts'

interface Props {
  store: DocumentStore
  definition: ComponentDefinition
  splitters: readonly ComponentDefinition[]
  /** The loader to edit. */
  stored: DocumentLoader | undefined
}

/** The inputs of a loader with their preview beside them. */
export function LoaderForm({ store, definition, splitters, stored }: Props) {
  const mayUpdate = useCan()('documentStores:update')
  const [initial] = useState(() => toFields(definition, splitters, stored))
  const [fields, setFields] = useState(initial)
  const [count, setCount] = useState(20)
  const saving = useSave({ store, definition, splitters, stored, fields, initial })
  const found = checkLoader(definition, fields)
  const request = buildRequest(fields, { storeId: store.id, definition, splitters, id: stored?.id })
  const isReady = !found.summary
  const preview = usePreview(isReady ? { ...request, previewChunkCount: count } : undefined, !isRemote(definition))
  const world = useMemo(() => ({ definition, splitters, storeId: store.id }), [definition, splitters, store.id])
  return (
    <>
      <Grid
        templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 3fr)' }}
        gap="6"
        alignItems="start"
      >
        <Form onSubmit={() => void saving.saveAndProcess()} summary={saving.errors.summary}>
          <Flex gap="3" align="center">
            <LoaderIcon name={definition.name} />
            <Box minW="0">
              <Heading as="h1" size="xl" letterSpacing="tight">
                {stored ? `Edit ${stored.loaderName}` : definition.label}
              </Heading>
              <Text color="fg.muted" textStyle="sm">
                {definition.description}
              </Text>
            </Box>
          </Flex>
          <chakra.fieldset disabled={!mayUpdate} minW="0">
            <chakra.legend srOnly>Inputs</chakra.legend>
            <Stack gap="5">
              <Field label="Name" error={saving.errors.fields.name}>
                <Input
                  size="sm"
                  maxLength={200}
                  autoComplete="off"
                  value={fields.name}
                  onChange={(event) => setFields((now) => ({ ...now, name: event.target.value }))}
                />
              </Field>
              <LoaderInputs world={world} fields={fields} errors={saving.errors.fields} onChange={setFields} />
            </Stack>
          </chakra.fieldset>
          {mayUpdate ? (
            <Flex gap="3" align="center" wrap="wrap" position={{ lg: 'sticky' }} bottom="0" py="3" bg="bg">
              <Button type="submit" colorPalette="accent" loading={saving.isBusy} loadingText="Saving">
                <IconPlayerPlay size={18} aria-hidden />
                Save and process
              </Button>
              <Button
                type="button"
                variant="outline"
                disabled={saving.isBusy}
                onClick={() => void saving.saveAndLeave()}
              >
                Save
              </Button>
            </Flex>
          ) : (
            <Text color="fg.muted">
              You need the permission {describePermissions('documentStores:update')} to change this loader.
            </Text>
          )}
        </Form>
        <Box position={{ lg: 'sticky' }} top="20">
          <PreviewPane
            preview={preview}
            isReady={isReady}
            embeds={store.embeddingConfig !== null}
            count={count}
            onCount={setCount}
          />
        </Box>
      </Grid>
      <LeaveGuard hasChanges={saving.hasChanges} mayEdit={mayUpdate} onSave={saving.saveOnly} />
    </>
  )
}

interface SaveProps extends Props {
  fields: LoaderFields
  initial: LoaderFields
}

/** Saves a loader. A second attempt replaces what the first one made. */
function useSave({ store, definition, splitters, stored, fields, initial }: SaveProps) {
  const navigate = useNavigate()
  const [failed, setFailed] = useState({ errors: noErrors, of: fields })
  const [isBusy, setBusy] = useState(false)
  const id = useRef(stored?.id)
  const kept = useRef(JSON.stringify(initial))

  const toStore = () => void navigate({ to: '/document-stores/$storeId', params: { storeId: store.id } })

  /** Resolves with the loader's id, or undefined when it could not be saved. */
  const save = async (): Promise<string | undefined> => {
    const found = checkLoader(definition, fields)
    setFailed({ errors: found, of: fields })
    if (found.summary || isBusy) return undefined
    setBusy(true)
    try {
      const saved = await saveLoader(buildRequest(fields, { storeId: store.id, definition, splitters, id: id.current }))
      id.current = saved.id
      kept.current = JSON.stringify(fields)
      return saved.id
    } catch (error) {
      const text = errorMessage(error)
      const field = error instanceof ApiError ? error.field?.split('.').at(-1) : undefined
      setFailed({ errors: serverErrors({ message: text, ...(field && { field }) }), of: fields })
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return {
    errors: failed.of === fields ? failed.errors : remainingErrors(failed.errors, checkLoader(definition, fields)),
    isBusy,
    hasChanges: () => JSON.stringify(fields) !== kept.current,
    saveOnly: async () => (await save()) !== undefined,
    saveAndLeave: async () => {
      if (await save()) toStore()
    },
    saveAndProcess: async () => {
      const saved = await save()
      if (!saved) return
      try {
        await processLoader(store.id, saved)
      } catch (error) {
        notify.error(`Saved, but couldn’t process it: ${errorMessage(error)}`)
      }
      toStore()
    },
  }
}
