import { expect, it } from 'vitest'
import { deviceOf } from './device.ts'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on Mac'],
  ['curl/8.5.0', 'curl'],
  ['<script>alert(1)</script>', null],
  ['', null],
  [undefined, null],
  [`${'x'.repeat(500)} Firefox/140.0`, null],
])('names the device of %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
