/// <reference path="../guest-modules.d.ts" />
/** The source texts of all guest modules; imported when a function first names one. */
import assert from './assert.ts?guest'
import axios from './axios.ts?guest'
import buffer from './buffer.ts?guest'
import crypto from './crypto.ts?guest'
import events from './events.ts?guest'
import intl from './intl.ts?guest'
import nodeFetch from './node-fetch.ts?guest'
import path from './path.ts?guest'
import querystring from './querystring.ts?guest'
import textEncoding from './text-encoding.ts?guest'
import timers from './timers.ts?guest'
import url from './url.ts?guest'
import webUrl from './web-url.ts?guest'

/** The modules of guests, by the name that `require` takes. */
export const modules: Readonly<Record<string, string>> = {
  assert,
  axios,
  buffer,
  crypto,
  events,
  'node-fetch': nodeFetch,
  path,
  querystring,
  timers,
  url,
}

/** Behind the globals that Node has beside its modules. */
export const globals: Readonly<Record<string, string>> = { intl, 'text-encoding': textEncoding, 'web-url': webUrl }
