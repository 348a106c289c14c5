/** Node's `url`: the classes of the web, and the older functions. */
import { format, parse, resolve, resolveObject, Url } from 'url/'
import type { Load } from './host.ts'

declare const load: Load

const { URL, URLSearchParams } = load('web-url')

/** `format` takes a URL as well, as in Node. */
const formatUrl = (given: unknown) => (given instanceof URL ? String(given) : format(given as string))

export default { URL, URLSearchParams, Url, parse, resolve, resolveObject, format: formatUrl }
