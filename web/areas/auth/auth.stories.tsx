import { expect, expectWords, never, page, refusal, role, story, text, userEvent } from '../../workshop/story.tsx'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'
import { RegisterPage } from './RegisterPage.tsx'
import { ResetPasswordPage } from './ResetPasswordPage.tsx'
import { SetupPage } from './SetupPage.tsx'
import { SignInPage } from './SignInPage.tsx'
import { VerifyPage } from './VerifyPage.tsx'

const person = {
  id: 'u1',
  name: 'Ada',
  email: 'ada@example.com',
  isOrganizationAdmin: true,
  isSSO: false,
  managesAccount: true,
  isPlatformAdmin: false,
  permissions: [],
  features: {},
  assignedWorkspaces: [],
  activeWorkspaceId: 'w1',
}

const open = {
  'GET /settings': {
    PLATFORM_TYPE: 'enterprise',
    hasMailService: true,
    canSendEmail: true,
    anonymousCallsPerMinute: 60,
  },
  'GET /account/setup-check': { needsSetup: false, registrationOpen: true, needsToken: false },
  'GET /loginmethod/default': { methods: [] },
  'POST /auth/methods': { password: true, providers: [] },
  'GET /account/basic-auth': { required: false },
}

/** As if the page were opened by the link of an email. */
function withToken(token: string) {
  history.replaceState(null, '', `${location.pathname}${location.search}#token=${token}`)
}

async function signIn() {
  await role('textbox', 'Email').fill('ada@example.com')
  await page.getByLabelText('Password', { exact: true }).fill('correct horse')
  await userEvent.keyboard('{Enter}')
}

story(
  'a person signs in and goes on to the page that was asked for',
  () => <SignInPage next="/variables" />,
  async ({ sent, path }) => {
    await expect.element(role('textbox', 'Email')).toHaveFocus()
    await signIn()
    await expect.poll(path).toBe('/variables')
    expect(sent.find(({ call }) => call === 'POST /auth/login')?.body).toEqual({
      email: 'ada@example.com',
      password: 'correct horse',
    })
    await expect.element(role('link', 'Create an account')).toBeVisible()
  },
  { answers: { ...open, 'POST /auth/login': person } },
)

story(
  'a sign-in without address or password is not sent',
  () => <SignInPage />,
  async ({ sent }) => {
    await role('button', 'Sign in').click()
    await expectWords(role('alert'), 'Enter your password.')
    await expect.element(role('textbox', 'Email')).toHaveFocus()
    expect(sent.filter(({ call }) => call.startsWith('POST'))).toEqual([])
  },
  { answers: open },
)

story(
  'a wrong password is said above the form',
  () => <SignInPage />,
  async ({ path }) => {
    await signIn()
    await expectWords(role('alert'), 'Email or password is wrong.')
    expect(path()).toBe('/')
  },
  { answers: { ...open, 'POST /auth/login': refusal(400, 'Email or password is wrong') }, width: 'phone' },
)

story(
  'a second step asks for the code, and leads back when it is over',
  () => <SignInPage />,
  async ({ sent }) => {
    await signIn()
    await expect.element(role('heading', 'Enter your code')).toBeVisible()
    await expect.element(role('textbox', 'Code')).toHaveFocus()
    await role('button', 'Continue').click()
    await expect.element(text('Enter the code.')).toBeVisible()
    await role('textbox', 'Code').fill('123456')
    await role('button', 'Continue').click()
    await expectWords(role('alert'), 'Too many wrong codes')
    await expect.element(role('heading', 'Sign in')).toBeVisible()
    expect(sent.find(({ call }) => call === 'POST /auth/second-step')?.body).toEqual({
      challenge: 'c1',
      code: '123456',
    })
  },
  {
    answers: {
      ...open,
      'POST /auth/login': { mfaRequired: true, challenge: 'c1' },
      'POST /auth/second-step': refusal(400, 'Too many wrong codes', { error: 'sign_in_again' }),
    },
  },
)

story(
  'an installation without an account leads to its setup',
  () => <SignInPage />,
  async ({ path }) => {
    await expect.poll(path).toBe('/setup')
  },
  {
    answers: { ...open, 'GET /account/setup-check': { needsSetup: true, registrationOpen: false, needsToken: false } },
  },
)

story(
  'the first account is made with the token of the server',
  () => <SetupPage />,
  async ({ sent, path }) => {
    await expect.element(page.getByLabelText('Setup token', { exact: true })).toBeVisible()
    await role('textbox', 'Name').fill('Ada')
    await role('textbox', 'Email').fill('ada@example.com')
    await page.getByLabelText('Password', { exact: true }).fill('short')
    await role('button', 'Create account and start').click()
    await expectWords(role('alert'), 'Use at least 8 characters. Enter the setup token.')
    await page.getByLabelText('Password', { exact: true }).fill('correct horse')
    await page.getByLabelText('Setup token', { exact: true }).fill('t-1')
    await role('button', 'Create account and start').click()
    await expect.poll(path).toBe('/app')
    expect(sent.find(({ call }) => call === 'POST /account/register')?.body).toEqual({
      setupToken: 't-1',
      name: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse',
    })
  },
  {
    answers: {
      ...open,
      'GET /account/setup-check': { needsSetup: true, registrationOpen: false, needsToken: true },
      'POST /account/register': person,
    },
  },
)

story(
  'a setup behind a password asks for it first',
  () => <SetupPage />,
  async () => {
    await role('textbox', 'User name').fill('op')
    await page.getByLabelText('Password', { exact: true }).fill('secret')
    await role('button', 'Continue').click()
    await expect.element(role('heading', 'Welcome to Heddle')).toBeVisible()
  },
  {
    answers: {
      ...open,
      'GET /account/setup-check': { needsSetup: true, registrationOpen: false, needsToken: false },
      'GET /account/basic-auth': { required: true },
      'POST /account/basic-auth': {},
    },
  },
)

story(
  'a finished setup leads to the sign-in',
  () => <SetupPage />,
  async ({ path }) => {
    await expect.element(text('This installation already has an administrator.')).toBeVisible()
    await role('link', 'Go to sign in').click()
    await expect.poll(path).toBe('/signin')
  },
  {
    answers: { ...open, 'GET /account/setup-check': { needsSetup: false, registrationOpen: false, needsToken: false } },
  },
)

story(
  'a registration that needs a email says to look for it, and sends another',
  () => <RegisterPage />,
  async ({ sent }) => {
    await role('textbox', 'Name').fill('Ada')
    await role('textbox', 'Email').fill('ada@example.com')
    await page.getByLabelText('Password', { exact: true }).fill('correct horse')
    await role('button', 'Create account').click()
    await expect.element(role('heading', 'Check your inbox')).toBeVisible()
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Send another email').click()
    await expect.element(role('button', 'Send it again')).toBeVisible()
    expect(sent.at(-1)).toMatchObject({ call: 'POST /account/resend-verification', body: { email: 'ada@example.com' } })
  },
  {
    answers: {
      ...open,
      'POST /account/register': { message: 'We sent you an email.' },
      'POST /account/resend-verification': { message: 'It is on its way.' },
    },
  },
)

story(
  'a closed registration leads to the sign-in',
  () => <RegisterPage />,
  async () => {
    await expect.element(role('heading', 'Sign in instead')).toBeVisible()
    expect(role('textbox').elements()).toEqual([])
  },
  {
    answers: { ...open, 'GET /account/setup-check': { needsSetup: false, registrationOpen: false, needsToken: false } },
  },
)

story(
  'a forgotten password is asked for by address',
  () => <ForgotPasswordPage />,
  async ({ sent }) => {
    await role('textbox', 'Email').fill('not an address')
    await role('button', 'Send the link').click()
    await expect.element(role('textbox', 'Email')).toBeInvalid()
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Send the link').click()
    await expect.element(text('Look into your inbox.')).toBeVisible()
    expect(sent.filter(({ call }) => call === 'POST /account/forgot-password')).toHaveLength(1)
  },
  { answers: { ...open, 'POST /account/forgot-password': { message: 'Look into your inbox.' } } },
)

story(
  'a new password is chosen with the token of the link, which leaves the address',
  () => {
    withToken('t-9')
    return <ResetPasswordPage />
  },
  async ({ sent }) => {
    expect(location.hash).toBe('')
    await page.getByLabelText('New password', { exact: true }).fill('correct horse')
    await role('button', 'Change password').click()
    await expect.element(role('heading', 'Your password was changed')).toBeVisible()
    expect(role('link', 'Sign in').element().getAttribute('href')).toBe('/signin?next=%2Freview-sign-in')
    expect(sent.at(-1)).toMatchObject({
      call: 'POST /account/reset-password',
      body: { token: 't-9', password: 'correct horse' },
    })
  },
  { answers: { ...open, 'POST /account/reset-password': {} } },
)

story(
  'a link that is too old can be sent anew',
  () => {
    withToken('old')
    return <ResetPasswordPage />
  },
  async ({ path }) => {
    await page.getByLabelText('New password', { exact: true }).fill('correct horse')
    await role('button', 'Change password').click()
    await expectWords(role('alert'), 'The link is too old.')
    await role('link', 'Send me a new link').click()
    await expect.poll(path).toBe('/forgot-password')
  },
  { answers: { ...open, 'POST /account/reset-password': refusal(400, 'The link is too old', { field: 'token' }) } },
)

story(
  'the page of a link without one says what to open',
  () => <ResetPasswordPage />,
  async () => {
    await expect.element(role('heading', 'Open the link in the email')).toBeVisible()
  },
  { answers: open },
)

story(
  'an address is confirmed by a click, and in another browser with name and password',
  () => {
    withToken('t-2')
    return <VerifyPage />
  },
  async ({ sent, path }) => {
    await role('button', 'Confirm and continue').click()
    await role('textbox', 'Name').fill(' Ada ')
    await page.getByLabelText('Password', { exact: true }).fill('correct horse')
    await role('button', 'Confirm and continue').click()
    await expect.poll(path).toBe('/app')
    expect(sent.filter(({ call }) => call === 'POST /account/verify').map(({ body }) => body)).toEqual([
      { token: 't-2' },
      { token: 't-2', name: 'Ada', password: 'correct horse' },
    ])
  },
  {
    answers: {
      ...open,
      'POST /account/verify': ({ body }: { body: { password?: string } }) =>
        body.password ? { user: person } : refusal(400, 'password: Choose one', { field: 'password' })(),
    },
  },
)

story(
  'while an address is being confirmed its button waits',
  () => {
    withToken('t-3')
    return <VerifyPage />
  },
  async () => {
    await role('button', 'Confirm and continue').click()
    await expect.element(role('button', /Confirming/)).toBeDisabled()
  },
  { answers: { ...open, 'POST /account/verify': never } },
)

story(
  'the providers of an address’s domain appear, and only the domain is sent',
  () => <SignInPage next="/variables" />,
  async ({ sent }) => {
    await expect.element(role('link', 'Continue with Google')).toBeVisible()
    await role('textbox', 'Email').fill('ada@example.com')
    await expect
      .element(role('link', 'Continue with Okta'))
      .toHaveAttribute('href', '/api/v1/sso/okta/start?next=%2Fvariables')
    await expect.element(text('People of your organization sign in here:')).toBeVisible()
    expect(sent.filter(({ call }) => call === 'POST /auth/methods').map(({ body }) => body)).toEqual([
      { email: 'x@example.com' },
    ])
  },
  {
    answers: {
      ...open,
      'GET /loginmethod/default': { methods: [{ id: 'google', name: 'Google' }] },
      'POST /auth/methods': { password: false, providers: [{ id: 'okta', name: 'Okta' }] },
    },
  },
)
