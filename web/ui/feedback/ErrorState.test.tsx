import { ChakraProvider } from '@chakra-ui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { forgetFailure, keepFailure } from '../../state/failure.ts'
import { system } from '../theme/theme.ts'
import { ErrorState } from './ErrorState.tsx'

const shown = (text: string) =>
  renderToStaticMarkup(
    <ChakraProvider value={system}>
      <ErrorState title="Couldn’t load variables" text={text} />
    </ChakraProvider>,
  )
const failed = { call: 'GET /variables', message: 'Internal Server Error', requestId: 'r-1' }

afterEach(() => forgetFailure())

it('shows the id of the failed request', () => {
  keepFailure(failed)
  expect(shown('Internal Server Error')).toContain('Request r-1. Quote it when you ask for help.')
})

it('shows no request id when another call failed or the server was unreachable', () => {
  keepFailure(failed)
  expect(shown('This flow does not exist')).not.toContain('Request')
  keepFailure({ ...failed, requestId: undefined })
  expect(shown('Internal Server Error')).not.toContain('Request')
  forgetFailure()
  expect(shown('Internal Server Error')).not.toContain('Request')
})
